import { z } from 'zod';
import { COMPONENTS } from './component-session.ts';
import { Donation } from './donation.ts';
import { Donor } from './donor.ts';
import { Payout } from './payout.ts';

/**
 * The query of `GET /live`, a stream of server-sent events: docs/decisions/0058-live-tables.md
 */
export const LiveQuery = z.strictObject({
  components: z
    .string()
    .regex(
      new RegExp(`^(${COMPONENTS.join('|')})(,(${COMPONENTS.join('|')}))*$`),
      `must be a comma-separated list of ${COMPONENTS.join(', ')}.`,
    )
    .optional()
    .describe(
      'Comma-separated components whose changes are streamed; by default all of the session.',
    ),
});
export type LiveQuery = z.infer<typeof LiveQuery>;

/** Why a stream ends. After `replaced` the client does not reconnect immediately. */
export const LIVE_END_REASONS = ['expired', 'replaced', 'stopping'] as const;
export type LiveEndReason = (typeof LIVE_END_REASONS)[number];

/**
 * The `data` of a server-sent event of `GET /live`. Its `event` field is the kind of resource, or a
 * control event:
 *
 * - `open` starts a stream. If `resumed` is false, events were missed and the client must reload
 *   its lists.
 * - `reset` means the same later in the stream.
 * - `beat` is a heartbeat.
 * - `end` is the last event.
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
