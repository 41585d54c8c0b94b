import { z } from 'zod';
import { Timestamp } from './field-schemas.ts';
import { Masks } from './mask.ts';
import type { Scope } from './scope.ts';

/** Each embedded table and the scope that its data needs: docs/decisions/0005-scopes.md */
export const COMPONENT_SCOPE = {
  donations: 'donations:read',
  donors: 'donors:read',
  payouts: 'payouts:read',
} as const satisfies Record<string, Scope>;

export const COMPONENTS = ['donations', 'donors', 'payouts'] as const;
export type Component = (typeof COMPONENTS)[number];

/** What a page asks its server for; what is kept back of people is not the page's to say. */
export const CreatePageSession = z.strictObject({
  components: z.array(z.enum(COMPONENTS)).min(1).max(COMPONENTS.length),
});

/** Body of `POST /component-sessions` (spec: Write endpoints). */
export const CreateComponentSession = CreatePageSession.extend({
  /** Additive: docs/decisions/0059-least-data.md */
  masks: Masks.optional(),
});
export type CreateComponentSession = z.infer<typeof CreateComponentSession>;

/** A read-only token for browsers (spec: component_session). */
export const ComponentSession = z.object({
  id: z.string(),
  object: z.literal('component_session'),
  token: z.string(),
  organization_id: z.string(),
  /** Additive: names a table's file. */
  organization_name: z.string(),
  components: z.array(z.string()),
  expires_at: Timestamp,
});
/** `masks` only where some were asked for; additive: docs/decisions/0059-least-data.md */
export type ComponentSession = z.infer<typeof ComponentSession> & { masks?: string[] };

/** The server's answer: the same, what it keeps back of people, and where the element reads with it. */
export const PageSession = ComponentSession.extend({
  masks: z.array(z.string()),
  api_base: z.url(),
});
export type PageSession = z.infer<typeof PageSession>;
