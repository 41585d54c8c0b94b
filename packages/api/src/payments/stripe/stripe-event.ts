import { SingleLineText } from '@connect-embed/contract/field-schemas';
import { z } from 'zod';

/** Id of an object at Stripe, such as `pi_3Qx7`. */
export const StripeId = z
  .string()
  .regex(/^[a-z]+_[\w-]{1,200}$/, 'must be a Stripe identifier, such as pi_123.');

/** Text without NUL characters, which PostgreSQL cannot store. */
export const StripeText = z.string().regex(/^[^\0]*$/, 'must not contain a NUL character.');

/** Metadata as Stripe sends it: an object of strings, or null. Null becomes an empty object. */
export const Metadata = z
  .record(z.string(), StripeText)
  .nullish()
  .transform((metadata) => metadata ?? {});

/**
 * A reference to another object at Stripe: the id, or the object itself if it was expanded. The
 * parsed value is the id.
 */
export const Reference = z
  .union(
    [StripeId, z.object({ id: StripeId }).transform(({ id }) => id)],
    'must be a Stripe identifier, or an object with one.',
  )
  .nullish();

/** The last second of the year 9999, in Unix seconds. */
const MAX_TIMESTAMP = 253_402_300_799;

/**
 * What every webhook request of Stripe contains. Those of its version 2 (`object: v2.core.event`), such as the
 * ping of an event destination, differ in everything else.
 */
export const StripeNotification = z.looseObject({
  id: StripeId,
  object: z.string().optional(),
  type: SingleLineText.min(1).max(255),
});
export type StripeNotification = z.infer<typeof StripeNotification>;

/** Envelope of an event that has a handler, of any type. Fields that we do not use are omitted. */
export const StripeEvent = z.object({
  id: StripeId,
  type: z.string(),
  created: z.int().min(0).max(MAX_TIMESTAMP),
  livemode: z.boolean(),
  /** Id of the connected account. Absent for events of the platform's own account. */
  account: StripeId.optional(),
  data: z.object({ object: z.looseObject({}) }),
});

/** An event whose object has been validated by the schema of its handler. */
export interface EventWith<Resource> {
  id: string;
  type: string;
  created: number;
  livemode: boolean;
  account?: string | undefined;
  data: { object: Resource };
}
