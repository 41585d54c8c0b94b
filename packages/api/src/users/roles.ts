import type { Database } from '../db/schema.ts';

/** A person's role in an organization. */
export const ROLES = ['owner', 'admin', 'member'] as const satisfies readonly Role[];
export type Role = Database['membership']['role'];
