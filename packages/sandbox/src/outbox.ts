/** Where an event goes, and which misfortunes it meets on its way out. */
import type { DatabaseSync } from 'node:sqlite';
import { CONFIGURED_ENDPOINT_ID } from './configured-endpoint.ts';
import { sql } from './database.ts';
import { type Faults, share } from './faults.ts';
import { PLATFORM_ACCOUNT, type SandboxEvent, type WebhookEndpoint } from './stripe-types.ts';

/** One sending: to which address, and not before when. */
export type ScheduledDelivery = { endpoint: string; at: number };

/** The configured address, those that were added, and what goes wrong with them. */
export function planDeliveries(
  db: DatabaseSync,
  event: SandboxEvent,
  faults: Faults,
): ScheduledDelivery[] {
  const endpoints = ['', ...matchingEndpoints(db, event)];
  const dropFault = faults.roll('drop_event');
  if (dropFault) return [];
  const reorderFault = faults.roll('reorder_event');
  const delayMs = reorderFault
    ? Math.round(reorderFault.ms * share(`${reorderFault.seed} wait ${reorderFault.rolls}`))
    : 0;
  const times = faults.roll('duplicate_event') ? 2 : 1;
  const deliveries = endpoints.map((endpoint) => ({ endpoint, at: Date.now() + delayMs }));
  return times === 2 ? [...deliveries, ...deliveries] : deliveries;
}

/** Addresses that were added: of the platform's own events, or of its accounts'. */
function matchingEndpoints(db: DatabaseSync, { account, type }: SandboxEvent): string[] {
  const rows = sql(
    db,
    `select body from object where account = ? and kind = 'webhook_endpoint' order by seq`,
  ).all(PLATFORM_ACCOUNT);
  return rows
    .map((row) => JSON.parse(String(row['body'])) as WebhookEndpoint)
    .filter(
      ({ id, status, application, enabled_events: wanted }) =>
        id !== CONFIGURED_ENDPOINT_ID &&
        status === 'enabled' &&
        (application !== null) === (account !== undefined) &&
        (wanted.includes('*') || wanted.includes(type)),
    )
    .map(({ id }) => id);
}
