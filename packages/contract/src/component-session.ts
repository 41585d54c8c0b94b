import { z } from 'zod';
import { ExpiresAt, Id, OrganizationId, kind } from './field-schemas.ts';
import type { Scope } from './scope.ts';

/** The scope that each embedded table needs: docs/decisions/0005-credentials-and-scopes.md */
export const COMPONENT_SCOPE = {
  donations: 'donations:read',
  donors: 'donors:read',
  payouts: 'payouts:read',
} as const satisfies Record<string, Scope>;

export const COMPONENTS = ['donations', 'donors', 'payouts'] as const;
export type Component = (typeof COMPONENTS)[number];

/**
 * Masks of a component session: personal data that its responses leave out
 * (docs/decisions/0059-field-masking.md).
 *
 * `names` reduces names to initials; the other masks set their fields to null.
 */
export const MASKS = ['names', 'emails', 'phones', 'addresses'] as const;
export type Mask = (typeof MASKS)[number];

export const Masks = z.array(z.enum(MASKS)).max(MASKS.length);

/**
 * Body of the BFF's `POST /component-sessions`. The page cannot choose masks: the site owner
 * configures them.
 */
export const CreatePageSession = z.strictObject({
  components: z
    .array(z.enum(COMPONENTS))
    .min(1)
    .max(COMPONENTS.length)
    .describe('The tables that the session reads.'),
});

/** Body of `POST /component-sessions` (spec: Write endpoints). */
export const CreateComponentSession = CreatePageSession.extend({
  masks: Masks.optional().describe(
    'Personal data that the session hides: `names` shortens names to initials, the others return null.',
  ),
});
export type CreateComponentSession = z.infer<typeof CreateComponentSession>;

/** A session with a read-only token for browsers (spec: component_session). */
export const ComponentSession = z.object({
  id: Id,
  object: kind('component_session'),
  token: z.string().describe('Bearer token for the browser; it can only read.'),
  organization_id: OrganizationId,
  /** Used in the file name of an exported table. */
  organization_name: z.string().describe('Name of the organization.'),
  components: z.array(z.string()).describe('The tables that the session reads.'),
  expires_at: ExpiresAt,
  masks: Masks.optional().describe(
    'The personal data that the session hides; absent if it hides none.',
  ),
});
export type ComponentSession = z.infer<typeof ComponentSession>;

/**
 * The BFF's response: the session, its masks, and the base URL of the API that the element reads
 * from.
 */
export const PageSession = ComponentSession.extend({
  masks: z.array(z.string()),
  api_base: z.url(),
});
export type PageSession = z.infer<typeof PageSession>;
