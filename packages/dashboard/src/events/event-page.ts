import { formatMoney } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { Deps } from '../pages/deps.ts';
import type { Db } from '@connect-embed/api/db/schema';
import { eventState, isActionAllowed } from '@connect-embed/api/resources/events/event-state';
import {
  countSeatsTaken,
  type EventRow,
  type TicketTypeRow,
} from '@connect-embed/api/resources/events/capacity';
import { listTicketTypes } from '@connect-embed/api/resources/events/ticket-types';
import type { MembershipWithSettings } from '@connect-embed/api/users/membership';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import type { Html } from '@connect-embed/api/lib/html';
import { eventTimeElement } from '../pages/dashboard-layout.ts';
import type { DashboardContext } from '../pages/env.ts';
import { hasPermission } from '../pages/navigation.ts';
import { organizationPath, renderPage } from '../pages/render-page.ts';
import { badge, empty, facts, table, type Column } from '../pages/table.ts';
import { FORMAT_LABELS, capacityText, priceText, stateBadge } from './event-labels.ts';
import { eventPath, loadEvent } from './event-in-path.ts';
import {
  countRegistrations,
  registrationList,
  type RegistrationCounts,
} from './registration-list.ts';
import { forOrganization } from '@connect-embed/api/db/organization-scope';

/** Data that the page of an event shows besides the event itself. */
interface EventPageData {
  currency: string;
  seatsTaken: number;
  tickets: (TicketTypeRow & { seatsTaken: number })[];
  target: { fund: string | null; campaign: string | null };
  /** Undefined for a member without `registrations:read`. */
  counts: RegistrationCounts | undefined;
  mayEdit: boolean;
  /** True if the member may check guests in. */
  mayCheckIn: boolean;
}

/** Renders the dashboard page of the event in the URL path. */
export async function renderEventPage(
  c: DashboardContext,
  deps: Pick<Deps, 'db' | 'cursorEncrypter'>,
): Promise<Response> {
  const { organization } = c.var;
  const event = await loadEvent(deps.db, c, 'id');
  const path = eventPath(c, event.id);
  const data = await loadEventPageData(deps.db, organization, event);
  const { counts, tickets } = data;
  const content = html`${actions(path, event, data)} ${detailsView(event, data)}
  ${event.pricing_mode === 'ticketed' ? ticketView(path, event, data) : ''}
  ${counts && registrationList(c, deps, { path, event, counts, tickets })}`;
  const backLink = { href: organizationPath(c, '/events'), text: 'Events' };
  return renderPage(c, { title: event.title, content, backLink });
}

async function loadEventPageData(
  db: Db,
  organization: MembershipWithSettings,
  event: EventRow,
): Promise<EventPageData> {
  const mayReadRegistrations = hasPermission(organization, 'registrations:read');
  const [seatsTaken, tickets, target, counts] = await Promise.all([
    countSeatsTaken(db, event),
    readTickets(db, event),
    readTarget(db, event),
    mayReadRegistrations ? countRegistrations(db, event) : undefined,
  ]);
  return {
    currency: organization.currency,
    seatsTaken,
    tickets,
    target,
    counts,
    mayEdit: hasPermission(organization, 'admin'),
    mayCheckIn: mayReadRegistrations || organization.role === 'member',
  };
}

async function readTickets(db: Db, event: EventRow) {
  const tickets = await listTicketTypes(db, event.id);
  return await Promise.all(
    tickets.map(async (ticket) => ({
      ...ticket,
      seatsTaken: await countSeatsTaken(db, event, ticket.id),
    })),
  );
}

async function readTarget(db: Db, { organization_id, fund_id, campaign_id }: EventRow) {
  const organization = forOrganization(db, organization_id);
  const nameOf = async (table: 'fund' | 'campaign', id: string | null) =>
    id === null
      ? null
      : ((
          await organization
            .selectFrom(table)
            .select('name')
            .where('id', '=', id)
            .executeTakeFirst()
        )?.name ?? null);
  return { fund: await nameOf('fund', fund_id), campaign: await nameOf('campaign', campaign_id) };
}

/**
 * Renders the actions that are possible in the event's current state. An action that cannot be
 * undone links to a confirmation page.
 */
function actions(
  path: string,
  event: EventRow,
  { mayEdit, counts, mayCheckIn }: EventPageData,
): Html {
  const state = eventState(event);
  const isAllowed = (action: Parameters<typeof isActionAllowed>[0]) =>
    mayEdit && isActionAllowed(action, state);
  const button = (name: string, text: string, kind = 'secondary') =>
    html`<form method="post" action="${path}/${name}">
      <button class="${kind}">${text}</button>
    </form>`;
  const link = (name: string, text: string, kind: string) =>
    html`<a class="button ${kind}" href="${path}/${name}">${text}</a>`;
  return html`<div class="buttons event-actions">
    ${stateBadge(event)}
    ${mayCheckIn && isActionAllowed('admit', state) ? link('check-in', 'Check in guests', '') : ''}
    ${isAllowed('publish') ? button('publish', 'Publish', '') : ''}
    ${isAllowed('edit') ? link('edit', 'Edit', 'secondary') : ''}
    ${isAllowed('unpublish') && !counts?.size ? button('unpublish', 'Unpublish') : ''}
    ${isAllowed('cancel') ? link('cancel', 'Cancel event', 'danger') : ''}
    ${isAllowed('delete') ? link('delete', 'Delete', 'danger') : ''}
  </div>`;
}

const detailsView = (event: EventRow, { currency, seatsTaken, target }: EventPageData) => {
  const at = (date: Date | null) => date && eventTimeElement(date, event.timezone);
  return html`<section class="panel" aria-label="About the event">
    ${event.description ? html`<p>${event.description}</p>` : ''}
    ${facts([
      ['Starts', at(event.starts_at)],
      ['Ends', at(event.ends_at)],
      ['Format', FORMAT_LABELS[event.event_format].text],
      ['Location', event.location],
      ['Meeting link', event.online_meeting_url],
      ['Price', priceText(event, currency)],
      ['Seats taken', capacityText(seatsTaken, event.capacity)],
      ['Registration opens', at(event.registration_opens_at)],
      ['Registration closes', at(event.registration_closes_at)],
      ['Waitlist', event.allow_waitlist ? 'Yes' : 'No'],
      ['Requires approval', event.requires_approval ? 'Yes' : 'No'],
      ['Campaign', target.campaign],
      ['Fund', target.fund],
    ])}
  </section>`;
};

function ticketView(
  path: string,
  event: EventRow,
  { tickets, currency, mayEdit }: EventPageData,
): Html {
  const canEdit = mayEdit && isActionAllowed('edit', eventState(event));
  const columns: Column<EventPageData['tickets'][number]>[] = [
    {
      head: 'Ticket type',
      as: 'rowHeader',
      cell: ({ id, name, description }) =>
        html`${canEdit ? html`<a href="${path}/ticket-types/${id}">${name}</a>` : name}
        ${description && html`<br /><span class="small muted">${description}</span>`}`,
    },
    {
      head: 'Status',
      cell: ({ is_active }) =>
        is_active ? badge('Available', 'positive') : badge('Unavailable', 'neutral'),
    },
    {
      head: 'Taken',
      as: 'number',
      cell: ({ seatsTaken, capacity }) => capacityText(seatsTaken, capacity),
    },
    {
      head: 'Price',
      as: 'number',
      cell: ({ price_cents }) => formatMoney(price_cents, currency, LOCALE),
    },
  ];
  return html`<div class="head">
      <h2>Ticket types</h2>
      ${canEdit ? html`<a class="button secondary" href="${path}/ticket-types/new">Add ticket type</a>` : ''}
    </div>
    ${tickets.length ? table('Ticket types', columns, tickets) : empty('No ticket types yet.')}`;
}
