import { formatDate } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../../../env.ts';
import { eventState, mayDo } from '../../../events/event-state.ts';
import { readDoor, type Door, type Guest } from '../../../events/door.ts';
import { findEvent, type EventRow } from '../../../events/places.ts';
import { isPossible } from '../../../events/registration-states.ts';
import {
  checkIn as checkInOne,
  findRegistration,
  undoCheckIn,
  type OneRegistration,
} from '../../../events/registrations.ts';
import { LOCALE, type Html } from '../../layout.ts';
import type { DashboardEnv } from '../dashboard.ts';
import { frame } from '../frame.ts';
import { press } from '../press.ts';
import { empty } from '../table.ts';
import { people, statusBadge } from './event-words.ts';
import { eventPath } from './events.ts';

/** The door: find the name, press the button. Made for a phone in one hand. */
export const checkIn = (deps: Deps) => {
  const { db } = deps;
  const registry = { db, enqueue: deps.webhooks.enqueue };
  const oneOf = (c: Context<DashboardEnv>): OneRegistration => ({
    organizationId: c.var.organization.organizationId,
    eventId: c.req.param('event') ?? '',
    id: c.req.param('id') ?? '',
  });
  const doorPath = (c: Context<DashboardEnv>) =>
    `${eventPath(c, c.req.param('event') ?? '')}/check-in`;

  return new Hono<DashboardEnv>()
    .get('/', async (c) => {
      const { organizationId } = c.var.organization;
      const event = await findEvent(db, { organizationId, id: c.req.param('event') ?? '' });
      const typed = c.req.query('q') ?? '';
      const search = typed
        .replace(/\p{Cc}/gu, ' ')
        .trim()
        .slice(0, 100);
      const door = await readDoor(db, event.id, search);
      const place = { ...c.var.place, back: { href: eventPath(c, event.id), text: event.title } };
      const content = doorView({ path: doorPath(c), event, search, door });
      return c.html(frame(place, 'Check in', content));
    })
    .post('/:id', async (c) => {
      const { attendee_name, quantity } = await findRegistration(db, oneOf(c));
      const party = quantity > 1 ? ` (${people(quantity)})` : '';
      const done = `${attendee_name ?? 'The guest'}${party}: checked in.`;
      return await press(c, doorPath(c), done, () => checkInOne(registry, oneOf(c)));
    })
    .post('/:id/undo', async (c) => {
      const { attendee_name } = await findRegistration(db, oneOf(c));
      const done = `${attendee_name ?? 'The guest'}: expected again.`;
      return await press(c, doorPath(c), done, () => undoCheckIn(registry, oneOf(c)));
    });
};

interface View {
  path: string;
  event: EventRow;
  search: string;
  door: Door;
}

const doorView = ({ path, event, search, door }: View): Html => {
  const open = mayDo('admit', eventState(event));
  return html`<p class="door-count">
      <strong>${door.here.toLocaleString(LOCALE)}</strong> of
      ${door.expected.toLocaleString(LOCALE)} are here
    </p>
    ${open ? '' : html`<p class="notice problem">Nobody can be checked in: the event is not published.</p>`}
    <form method="get" action="${path}" role="search" class="door-search">
      <label class="hidden" for="q">Name or e-mail</label>
      <input
        id="q"
        name="q"
        type="search"
        value="${search}"
        placeholder="Name or e-mail"
        autocomplete="off"
        autocapitalize="words"
        enterkeyhint="search"
        maxlength="100"
      />
      <button>Search</button>
    </form>
    ${search ? html`<p><a href="${path}">Show everybody who is expected</a></p>` : ''}
    ${door.arrived.length ? part('Just arrived', door.arrived, { path, event }) : ''}
    ${
      door.guests.length
        ? part(search ? `Found for “${search}”` : 'Expected', door.guests, { path, event })
        : empty(search ? 'Nobody of that name is registered.' : 'Nobody else is expected.')
    }
    ${door.more ? html`<p class="quiet">There are more. Search for the name.</p>` : ''}`;
};

const part = (title: string, guests: readonly Guest[], at: Pick<View, 'path' | 'event'>) =>
  html`<section class="door" aria-label="${title}">
    <h2>${title}</h2>
    <ul>
      ${guests.map((guest) => guestView(guest, at))}
    </ul>
  </section>`;

function guestView(guest: Guest, { path, event }: Pick<View, 'path' | 'event'>): Html {
  const { id, attendee_name: name, ticket, quantity, attendee_names: names } = guest;
  const companions = names.filter((one) => one !== name).join(', ');
  const details = [people(quantity), ticket, companions, hereSince(guest, event)];
  return html`<li>
    <p>
      <strong>${name ?? 'No name'}</strong>
      <span class="small quiet">${details.filter(Boolean).join(' · ')}</span>
    </p>
    ${doorAction(guest, `${path}/${id}`, event)}
  </li>`;
}

function hereSince({ status, checked_in_at: at }: Guest, { timezone }: EventRow) {
  if (status !== 'checked_in' || !at) return null;
  return `here since ${formatDate(at, 'time', { timeZone: timezone, locale: LOCALE })}`;
}

/** The one thing that can be done with a guest, or why nothing can. */
function doorAction({ status, attendee_name: name }: Guest, path: string, event: EventRow): Html {
  const whose = html`<span class="hidden"> ${name}</span>`;
  if (isPossible('check_in', status) && mayDo('admit', eventState(event))) {
    return html`<form method="post" action="${path}"><button>Check in${whose}</button></form>`;
  }
  if (status !== 'checked_in') return statusBadge(status);
  return html`<form method="post" action="${path}/undo">
    <button class="second">Undo${whose}</button>
  </form>`;
}
