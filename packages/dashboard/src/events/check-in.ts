import { formatDate } from '@connect-embed/contract';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../pages/deps.ts';
import { eventState, isActionAllowed } from '@connect-embed/api/resources/events/event-state';
import {
  loadCheckInList,
  type CheckInList,
  type Guest,
} from '@connect-embed/api/resources/events/check-in';
import type { EventRow } from '@connect-embed/api/resources/events/capacity';
import type { RegistrationRow } from '@connect-embed/api/payments/registrations/find-registration';
import { canTransition } from '@connect-embed/api/resources/events/registration-states';
import {
  checkIn as checkInRegistration,
  undoCheckIn,
} from '@connect-embed/api/resources/events/registrations';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import type { Html } from '@connect-embed/api/lib/html';
import type { DashboardContext, DashboardEnv } from '../pages/env.ts';
import { normalizeSearch } from '../pages/lists/encrypted-search.ts';
import { actionRoutes } from '../pages/actions.ts';
import { renderPage } from '../pages/render-page.ts';
import { empty } from '../pages/table.ts';
import { eventLink, eventPath, loadEvent } from './event-in-path.ts';
import { peopleCountText, statusBadge } from './event-labels.ts';
import { loadRegistration, registrationRef } from './registration-in-path.ts';

/**
 * Check-in page of an event: staff find a guest by name and check them in. It is laid out for a
 * phone.
 */
export const checkIn = (deps: Deps) =>
  new Hono<DashboardEnv>()
    .get('/', (c) => renderCheckIn(c, deps.db))
    .route('/:id', guestActions(deps));

async function renderCheckIn(c: DashboardContext, db: Deps['db']) {
  const event = await loadEvent(db, c, 'event');
  const search = normalizeSearch(c.req.query('q') ?? '');
  const checkInList = await loadCheckInList(db, event, search);
  return renderPage(c, {
    title: 'Check in',
    backLink: eventLink(event, c),
    content: checkInView({ path: checkInPath(c, event.id), event, search, checkInList }),
  });
}

const guestActions = ({ db, webhooks }: Deps) => {
  const registrationDeps = { db, enqueue: webhooks.enqueue };
  return actionRoutes<RegistrationRow>(
    {
      load: (c) => loadRegistration(db, c),
      page: ({ event_id }, c) => ({ href: checkInPath(c, event_id), text: 'Check in' }),
    },
    {
      '': {
        run: (row) => checkInRegistration(registrationDeps, registrationRef(row)),
        success: ({ attendee_name, quantity }) => {
          const partySize = quantity > 1 ? ` (${peopleCountText(quantity)})` : '';
          return `${attendee_name ?? 'Guest'}${partySize} checked in.`;
        },
      },
      undo: {
        run: (row) => undoCheckIn(registrationDeps, registrationRef(row)),
        success: ({ attendee_name }) => `Check-in undone for ${attendee_name ?? 'the guest'}.`,
      },
    },
  );
};

const checkInPath = (c: DashboardContext, eventId: string) => `${eventPath(c, eventId)}/check-in`;

interface CheckInView {
  path: string;
  event: EventRow;
  search: string;
  checkInList: CheckInList;
}

const checkInView = ({ path, event, search, checkInList }: CheckInView): Html => {
  const isCheckInOpen = isActionAllowed('admit', eventState(event));
  return html`<p class="check-in-count">
      <strong>${checkInList.checkedIn.toLocaleString(LOCALE)}</strong> of
      ${checkInList.expected.toLocaleString(LOCALE)} checked in
    </p>
    ${isCheckInOpen ? '' : html`<p class="notice problem">Check-in is not available because the event is not published.</p>`}
    <form method="get" action="${path}" role="search" class="check-in-search">
      <label class="hidden" for="q">Name or email</label>
      <input
        id="q"
        name="q"
        type="search"
        value="${search}"
        placeholder="Name or email"
        autocomplete="off"
        autocapitalize="words"
        enterkeyhint="search"
        maxlength="100"
      />
      <button>Search</button>
    </form>
    ${search ? html`<p><a href="${path}">Show all expected guests</a></p>` : ''}
    ${checkInList.lastCheckedIn.length ? guestList('Just arrived', checkInList.lastCheckedIn, { path, event }) : ''}
    ${
      checkInList.guests.length
        ? guestList(search ? `Results for “${search}”` : 'Expected', checkInList.guests, {
            path,
            event,
          })
        : empty(search ? 'No registrations match.' : 'No more guests expected.')
    }
    ${checkInList.hasMore ? html`<p class="muted">More guests are expected. Search by name to find them.</p>` : ''}`;
};

const guestList = (
  title: string,
  guests: readonly Guest[],
  context: Pick<CheckInView, 'path' | 'event'>,
) =>
  html`<section class="check-in-list" aria-label="${title}">
    <h2>${title}</h2>
    <ul>
      ${guests.map((guest) => guestView(guest, context))}
    </ul>
  </section>`;

function guestView(guest: Guest, { path, event }: Pick<CheckInView, 'path' | 'event'>): Html {
  const { id, attendee_name: name, ticket, quantity, attendee_names: names } = guest;
  const companions = names.filter((companion) => companion !== name).join(', ');
  const details = [peopleCountText(quantity), ticket, companions, checkedInSince(guest, event)];
  return html`<li>
    <p>
      <strong>${name ?? 'No name'}</strong>
      <span class="small muted">${details.filter(Boolean).join(' · ')}</span>
    </p>
    ${guestAction(guest, `${path}/${id}`, event)}
  </li>`;
}

function checkedInSince({ status, checked_in_at: checkedInAt }: Guest, { timezone }: EventRow) {
  if (status !== 'checked_in' || !checkedInAt) return null;
  return `checked in at ${formatDate(checkedInAt, 'time', { timeZone: timezone, locale: LOCALE })}`;
}

/** Renders the check-in or undo button of a guest, or the status if neither action is possible. */
function guestAction({ status, attendee_name: name }: Guest, path: string, event: EventRow): Html {
  const guestName = html`<span class="hidden"> ${name}</span>`;
  if (canTransition('check_in', status) && isActionAllowed('admit', eventState(event))) {
    return html`<form method="post" action="${path}"><button>Check in${guestName}</button></form>`;
  }
  if (status !== 'checked_in') return statusBadge(status);
  return html`<form method="post" action="${path}/undo">
    <button class="secondary">Undo${guestName}</button>
  </form>`;
}
