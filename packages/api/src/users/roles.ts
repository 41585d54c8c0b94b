import type { Database } from '../db/schema.ts';

export const ROLES = ['owner', 'admin', 'member'] as const satisfies readonly Role[];
export type Role = Database['membership']['role'];
