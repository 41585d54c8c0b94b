/** Where an event goes, and which misfortunes it meets on its way out. */
import type { DatabaseSync } from 'node:sqlite';
import { CONFIGURED } from './configured-endpoint.ts';
import { sql } from './database.ts';
import { type Faults, share } from './faults.ts';
import { PLATFORM_ACCOUNT, type SandboxEvent, type WebhookEndpoint } from './wire.ts';

/** One sending: to which address, and not before when. */
export type Sending = { endpoint: string; at: number };

/** The configured address, those that were added, and what goes wrong with them. */
export function sendings(db: DatabaseSync, event: SandboxEvent, faults: Faults): Sending[] {
  const endpoints = ['', ...added(db, event)];
  const dropped = faults.roll('drop_event');
  if (dropped) return [];
  const late = faults.roll('reorder_event');
  const wait = late ? Math.round(late.ms * share(`${late.seed} wait ${late.rolls}`)) : 0;
  const times = faults.roll('duplicate_event') ? 2 : 1;
  const each = endpoints.map((endpoint) => ({ endpoint, at: Date.now() + wait }));
  return times === 2 ? [...each, ...each] : each;
}

/** Addresses that were added: of the platform's own events, or of its accounts'. */
function added(db: DatabaseSync, { account, type }: SandboxEvent): string[] {
  const rows = sql(
    db,
    `select body from object where account = ? and kind = 'webhook_endpoint' order by seq`,
  ).all(PLATFORM_ACCOUNT);
  return rows
    .map((row) => JSON.parse(String(row['body'])) as WebhookEndpoint)
    .filter(
      ({ id, status, application, enabled_events: wanted }) =>
        id !== CONFIGURED &&
        status === 'enabled' &&
        (application !== null) === (account !== undefined) &&
        (wanted.includes('*') || wanted.includes(type)),
    )
    .map(({ id }) => id);
}
