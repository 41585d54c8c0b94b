import assert from 'node:assert/strict';
import type { EventType, FundraisingEvent, List, Registration } from '@connect-embed/contract';
import { OWNER, startOauth } from './start-oauth.ts';
import type { StartOptions } from './start-api.ts';

const LIST = '/dashboard/org_harbor/events';

/** Values of a valid event form. */
export const SUPPER = {
  title: 'Soup Supper',
  timezone: 'America/New_York',
  starts_at: '2031-03-08T18:00',
  event_format: 'in_person',
  pricing_mode: 'free',
};

/**
 * Starts the API with an owner signed in to the dashboard, and functions that read the results
 * through the API.
 */
export async function startEvents(options: StartOptions = {}) {
  const oauth = await startOauth(options);
  const { api, visitor } = oauth;
  const { token } = await api.createKey();
  const owner = visitor();
  await owner.openAs(OWNER, LIST);

  const read = async (id: string) => {
    const response = await api.get(`/events/${id}`, token);
    assert.equal(response.status, 200);
    return (await response.json()) as FundraisingEvent;
  };

  /** Creates an event through the dashboard, published unless `draft`. */
  const newEvent = async (fields: Record<string, string> = {}, { draft = false } = {}) => {
    const title = fields['title'] ?? `Supper ${Math.random().toString(36).slice(2)}`;
    const page = await owner.post(LIST, { ...SUPPER, ...fields, title });
    assert.equal(page.status, 200, page.text);
    const path = page.url.pathname;
    if (!draft) await owner.post(`${path}/publish`, {});
    return { id: path.split('/').at(-1)!, path };
  };

  const registrations = async (id: string, query = '') => {
    const response = await api.get(`/events/${id}/registrations?limit=100${query}`, token);
    assert.equal(response.status, 200);
    return ((await response.json()) as List<Registration>).data;
  };

  const newRegistration = async (event: { id: string; path: string }, fields = {}) => {
    const name = `Guest ${Math.random().toString(36).slice(2)}`;
    const formFields = { attendee_name: name, quantity: '1', status: 'confirmed', ...fields };
    const page = await owner.post(`${event.path}/registrations`, formFields);
    assert.equal(page.status, 200, page.text);
    const [row] = await registrations(event.id);
    return { id: row!.id, path: `${event.path}/registrations/${row!.id}` };
  };

  /** Returns the webhook events of one type about the registrations of an event. */
  const webhookEventsOf = async (type: EventType, id: string) => {
    const query = api.db.selectFrom('webhook_event').select('body').where('type', '=', type);
    const rows = await query.execute();
    return rows.filter(({ body }) => body.includes(`/events/${id}/registrations`));
  };

  return {
    ...oauth,
    token,
    owner,
    LIST,
    read,
    newEvent,
    registrations,
    newRegistration,
    webhookEventsOf,
  };
}
