import { createCaller } from '../support/api-request.ts';
import type { TestSystem } from '../support/system.ts';
import { RESOURCE_NAMES, type ResourceName } from './specification.ts';

type Row = Record<string, unknown>;
export type Resources = Record<ResourceName, Row[]>;

/** Resources that the API returned, and the fields of each list's envelope. */
export interface ReadResources {
  resources: Resources;
  envelopes: { path: string; fields: string[] }[];
}

const LISTS = ['donations', 'donors', 'payouts', 'events', 'campaigns', 'funds'] as const;

/**
 * Reads every resource of the specification as an integration does: with an API key, over HTTP,
 * from lists and by id.
 *
 * @param webhookUrls URLs for webhook endpoints: one that responds, and one that nothing listens on
 */
export async function readResources(
  system: TestSystem,
  webhookUrls: { responding: string; unreachable: string },
): Promise<ReadResources> {
  const callService = createCaller(system.api_base);
  const found = Object.fromEntries(
    RESOURCE_NAMES.map((name) => [name, []]),
  ) as unknown as Resources;

  async function callApi(method: string, path: string, body?: unknown): Promise<Row> {
    const response = await callService({ method, path, body, token: system.api_key });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Row;
  }
  const envelopes: ReadResources['envelopes'] = [];
  async function rowsOf(path: string): Promise<Row[]> {
    const list = await callApi('GET', path);
    envelopes.push({ path, fields: Object.keys(list) });
    return list['data'] as Row[];
  }

  for (const list of LISTS) {
    found[list.slice(0, -1) as 'donation'] = await rowsOf(`/${list}?limit=100`);
  }
  for (const list of ['donations', 'donors', 'payouts', 'events'] as const) {
    const rows = found[list.slice(0, -1) as 'donation'];
    rows.push(await callApi('GET', `/${list}/${rows[0]!['id'] as string}`));
  }
  for (const event of found.event) {
    found.event_ticket_type.push(...(event['ticket_types'] as Row[]));
    const path = `/events/${event['id'] as string}/registrations?limit=100`;
    found.registration.push(...(await rowsOf(path)));
  }
  found.organization.push(await callApi('GET', '/organization'));
  found.payment_intent.push(await callApi('POST', '/payment-intents', { amount_cents: 2500 }));
  found.embed_session.push(await callApi('POST', '/embed-sessions', {}));
  const components = ['donations', 'donors', 'payouts'];
  found.component_session.push(await callApi('POST', '/component-sessions', { components }));

  for (const url of Object.values(webhookUrls)) {
    const endpointInput = { url, events: ['donation.created'], description: 'Accounting' };
    const created = await callApi('POST', '/webhooks', endpointInput);
    const path = `/webhooks/${created['id'] as string}`;
    const rotated = await callApi('POST', `${path}/rotate-secret`);
    found.webhook_endpoint_with_secret.push(created, rotated);
    found.webhook_endpoint.push(await callApi('GET', path));
    found.webhook_endpoint.push(await callApi('PATCH', path, { description: 'Our accounting' }));
    await callApi('POST', `${path}/test`);
    found.webhook_delivery.push(...(await attemptedDeliveries(() => rowsOf(`${path}/deliveries`))));
  }
  found.webhook_endpoint.push(...(await rowsOf('/webhooks')));
  return { resources: found, envelopes };
}

/** Returns deliveries once each of them was attempted. */
async function attemptedDeliveries(read: () => Promise<Row[]>): Promise<Row[]> {
  const until = Date.now() + 60_000;
  for (;;) {
    const rows = await read();
    const allAttempted = rows.every(({ last_error, delivered_at }) => last_error ?? delivered_at);
    if (rows.length > 0 && allAttempted) return rows;
    if (Date.now() > until)
      throw new Error(`Not attempted within a minute: ${JSON.stringify(rows)}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
