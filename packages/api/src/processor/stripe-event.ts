import { z } from 'zod';

/** Identifier of an object at Stripe, such as `pi_3Qx7`. */
export const StripeId = z
  .string()
  .regex(/^[a-z]+_[\w-]{1,200}$/, 'must be an identifier of Stripe, such as pi_123.');

/** Text that PostgreSQL can store: it refuses a NUL character. */
export const StripeText = z.string().regex(/^[^\0]*$/, 'must not contain a NUL character.');

/** Stripe sends metadata as an object of strings, or as null. */
export const Metadata = z
  .record(z.string(), StripeText)
  .nullish()
  .transform((metadata) => metadata ?? {});

/** Another object: its identifier, or the object itself where it was expanded. The result is the identifier. */
export const Reference = z
  .union(
    [StripeId, z.object({ id: StripeId }).transform(({ id }) => id)],
    'must be an identifier of Stripe, or an object that has one.',
  )
  .nullish();

/** The last second of the year 9999, in the seconds that Stripe counts. */
const MAX_TIMESTAMP = 253_402_300_799;

/** What every event of Stripe has, whatever its type. Fields that nothing here reads are left out. */
export const StripeEvent = z.object({
  id: StripeId,
  type: z
    .string()
    .regex(/^\P{Cc}{1,255}$/u, 'must be 1 to 255 characters, without control characters.'),
  created: z.int().min(0).max(MAX_TIMESTAMP),
  livemode: z.boolean(),
  /** The connected account; absent where the event is about the platform's own account. */
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
