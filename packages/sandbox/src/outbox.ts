/** Plans the webhook deliveries of a simulated Stripe event, including injected faults. */
import type { DatabaseSync } from 'node:sqlite';
import { sql } from './database.ts';
import { type Faults, hashToFraction } from './faults.ts';
import { isOwnAccount } from './own-accounts.ts';
import { PLATFORM_ACCOUNT, type SandboxEvent, type WebhookEndpoint } from './stripe-types.ts';

/** Id of the endpoint in `SANDBOX_WEBHOOK_URL`, which receives the events of all accounts. */
export const CONFIGURED_ENDPOINT_ID = 'we_configured';

/**
 * One delivery: id of the endpoint (empty for the configured one), and earliest time in
 * milliseconds.
 */
type ScheduledDelivery = { endpoint: string; at: number };

/**
 * Returns the deliveries to the configured endpoint and to those created through the API, after
 * applying the faults for events. Events of an account with its own keys are sent only to the
 * endpoints of that account.
 */
export function planDeliveries(
  db: DatabaseSync,
  account: string,
  event: SandboxEvent,
  faults: Faults,
): ScheduledDelivery[] {
  const endpoints = matchingEndpoints(
    db,
    isOwnAccount(account) ? account : PLATFORM_ACCOUNT,
    event,
  );
  const dropFault = faults.evaluate('drop_event');
  if (dropFault) return [];
  const reorderFault = faults.evaluate('reorder_event');
  const reorderMs = reorderFault
    ? Math.round(
        reorderFault.ms * hashToFraction(`${reorderFault.seed} wait ${reorderFault.rolls}`),
      )
    : 0;
  const delayMs = (faults.evaluate('delay_event')?.ms ?? 0) + reorderMs;
  const times = faults.evaluate('duplicate_event') ? 2 : 1;
  const deliveries = endpoints.map((endpoint) => ({ endpoint, at: Date.now() + delayMs }));
  return times === 2 ? [...deliveries, ...deliveries] : deliveries;
}

/**
 * The configured endpoint, which is the platform's, and those that were created through the API by their
 * owner, either for its own events or, as a platform, for those of connected accounts.
 */
function matchingEndpoints(
  db: DatabaseSync,
  owner: string,
  { account, type }: SandboxEvent,
): string[] {
  const rows = sql(
    db,
    `select body from object where account = ? and kind = 'webhook_endpoint' order by seq`,
  ).all(owner);
  return rows
    .map((row) => JSON.parse(String(row['body'])) as WebhookEndpoint)
    .filter(
      ({ id, status, application, enabled_events: enabledEvents }) =>
        id === CONFIGURED_ENDPOINT_ID ||
        (status === 'enabled' &&
          (application !== null) === (account !== undefined) &&
          (enabledEvents.includes('*') || enabledEvents.includes(type))),
    )
    .map(({ id }) => (id === CONFIGURED_ENDPOINT_ID ? '' : id));
}
