import { z } from 'zod';
import { COMPONENTS } from './component-session.ts';
import { Donation } from './donation.ts';
import { Donor } from './donor.ts';
import { Payout } from './payout.ts';

/** The query of `GET /live`; additive: docs/decisions/0058-live.md */
export const LiveQuery = z.strictObject({
  /** Components with commas between; all that the session carries when absent. */
  components: z
    .string()
    .regex(
      new RegExp(`^(${COMPONENTS.join('|')})(,(${COMPONENTS.join('|')}))*$`),
      `must be of ${COMPONENTS.join(', ')}, with commas between.`,
    )
    .optional(),
});
export type LiveQuery = z.infer<typeof LiveQuery>;

/** Why a stream ends; after `replaced` the next one is not sought at once. */
export const LIVE_END_REASONS = ['expired', 'replaced', 'stopping'] as const;
export type LiveEndReason = (typeof LIVE_END_REASONS)[number];

/**
 * The `data` of a live event; its `event` is the kind of resource, or as said here.
 *
 * `open` begins a stream, and tells whether it goes on where the last one ended; when not, the lists are to be
 * read anew. `reset` says the same later, `beat` that nothing has happened. `end` comes last.
 */
export const LiveEvent = z.union([
  Donation,
  Donor,
  Payout,
  z.object({ resumed: z.boolean() }).meta({ description: '`open`' }),
  z.object({}).meta({ description: '`reset` and `beat`' }),
  z.object({ reason: z.enum(LIVE_END_REASONS) }).meta({ description: '`end`' }),
]);
export type LiveEvent = z.infer<typeof LiveEvent>;
