import { formatMoney, REGISTRATION_STATUSES, type Registration } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { Deps } from '../../deps.ts';
import type { Db } from '../../../db/schema.ts';
import { readPage } from '../../../resources/lists/page.ts';
import { eventState, isActionAllowed } from '../../../resources/events/event-state.ts';
import {
  countSeatsTaken,
  type EventRow,
  type TicketTypeRow,
} from '../../../resources/events/capacity.ts';
import type { RegistrationRow } from '../../../payments/registrations/find-registration.ts';
import { listTicketTypes } from '../../../resources/events/ticket-types.ts';
import type { Membership } from '../../../users/membership.ts';
import { LOCALE } from '../../layout.ts';
import type { Html } from '../../../lib/html.ts';
import { eventTimeElement, dateElement } from '../dashboard-layout.ts';
import { hasPermission } from '../navigation.ts';
import { tabs } from '../pages/list.ts';
import { PAGE_SIZE } from '../page-size.ts';
import { organizationCurrency } from '../run-action.ts';
import { badge, empty, facts, pager, table, type Column } from '../table.ts';
import {
  FORMAT_LABELS,
  capacityText,
  priceText,
  stateBadge,
  statusBadge,
  statusText,
} from './event-labels.ts';

type Status = Registration['status'];

/** Data that the page of an event shows besides the event itself. */
interface EventPageData {
  currency: string;
  seatsTaken: number;
  tickets: (TicketTypeRow & { seatsTaken: number })[];
  target: { fund: string | null; campaign: string | null };
  /** Undefined for a member without `registrations:read`. */
  list: RegistrationList | undefined;
  mayEdit: boolean;
  /** True if the member may check guests in. */
  mayCheckIn: boolean;
}

interface RegistrationList {
  rows: RegistrationRow[];
  counts: ReadonlyMap<Status, number>;
  status: Status | undefined;
  cursor: string | undefined;
  next: string | null;
}

/** Loads the data of the page of an event. */
export async function readEventPage(
  deps: Pick<Deps, 'db' | 'cursorEncrypter'>,
  organization: Membership,
  event: EventRow,
  query: { status: string | undefined; cursor: string | undefined },
): Promise<EventPageData> {
  const { db } = deps;
  const [currency, seatsTaken, tickets, target, list] = await Promise.all([
    organizationCurrency(db, event.organization_id),
    countSeatsTaken(db, event.id),
    readTickets(db, event.id),
    readTarget(db, event),
    hasPermission(organization, 'registrations:read') ? readList(deps, event, query) : undefined,
  ]);
  const mayEdit = hasPermission(organization, 'admin');
  const mayCheckIn = list !== undefined || organization.role === 'member';
  return { currency, seatsTaken, tickets, target, list, mayEdit, mayCheckIn };
}

async function readTickets(db: Db, eventId: string) {
  const tickets = await listTicketTypes(db, eventId);
  return await Promise.all(
    tickets.map(async (ticket) => ({
      ...ticket,
      seatsTaken: await countSeatsTaken(db, eventId, ticket.id),
    })),
  );
}

async function readTarget(db: Db, { fund_id, campaign_id }: EventRow) {
  const nameOf = async (table: 'fund' | 'campaign', id: string | null) =>
    id === null
      ? null
      : ((await db.selectFrom(table).select('name').where('id', '=', id).executeTakeFirst())
          ?.name ?? null);
  return { fund: await nameOf('fund', fund_id), campaign: await nameOf('campaign', campaign_id) };
}

async function readList(
  { db, cursorEncrypter }: Pick<Deps, 'db' | 'cursorEncrypter'>,
  event: EventRow,
  { status: requestedStatus, cursor }: { status: string | undefined; cursor: string | undefined },
): Promise<RegistrationList> {
  const status = REGISTRATION_STATUSES.find((option) => option === requestedStatus);
  let select = db
    .selectFrom('registration')
    .selectAll('registration')
    .where('registration.event_id', '=', event.id);
  if (status) select = select.where('registration.status', '=', status);
  const page = {
    table: 'registration',
    organizationId: event.organization_id,
    filters: { event_id: event.id, ...(status && { status }) },
    query: { limit: PAGE_SIZE, cursor },
  } as const;
  const { data, next_cursor } = await readPage(cursorEncrypter, page, select, (row) => row);
  const counts = await db
    .selectFrom('registration')
    .select((eb) => ['status', eb.fn.countAll<number>().as('count')] as const)
    .where('event_id', '=', event.id)
    .groupBy('status')
    .execute();
  const byStatus = new Map(counts.map(({ status, count }) => [status, Number(count)]));
  return { rows: data, counts: byStatus, status, cursor, next: next_cursor };
}

/** Renders the dashboard page of an event: its actions, details, ticket types and registrations. */
export const eventView = (path: string, event: EventRow, data: EventPageData): Html =>
  html`${actions(path, event, data)} ${detailsView(event, data)}
  ${event.pricing_mode === 'ticketed' ? ticketView(path, event, data) : ''}
  ${data.list ? registrationView(path, event, data, data.list) : ''}`;

/**
 * Renders the actions that are possible in the event's current state. An action that cannot be
 * undone links to a confirmation page.
 */
function actions(
  path: string,
  event: EventRow,
  { mayEdit, list, mayCheckIn }: EventPageData,
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
    ${isAllowed('unpublish') && !list?.counts.size ? button('unpublish', 'Unpublish') : ''}
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

function registrationView(
  path: string,
  event: EventRow,
  pageData: EventPageData,
  list: RegistrationList,
): Html {
  const { rows, counts, status, cursor, next } = list;
  const totalCount = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const ticketNames = new Map(pageData.tickets.map(({ id, name }) => [id, name]));
  const columns: Column<RegistrationRow>[] = [
    {
      head: 'Attendee',
      as: 'rowHeader',
      cell: ({ id, attendee_name, attendee_email }) =>
        html`<a href="${path}/registrations/${id}">${attendee_name ?? 'No name'}</a> <br /><span
            class="small muted mail"
            >${attendee_email}</span
          >`,
    },
    { head: 'Status', cell: (row) => statusBadge(row.status) },
    ...(ticketNames.size
      ? [
          {
            head: 'Ticket',
            cell: (row: RegistrationRow) => ticketNames.get(row.ticket_type_id ?? '') ?? null,
          },
        ]
      : []),
    { head: 'Registered', cell: ({ created_at }) => dateElement(created_at, event.timezone) },
    { head: 'Seats', as: 'number', cell: ({ quantity }) => quantity },
    {
      head: 'Paid',
      as: 'number',
      cell: ({ amount_paid_cents }) => formatMoney(amount_paid_cents, pageData.currency, LOCALE),
    },
  ];
  const canAdd = pageData.mayEdit && isActionAllowed('register', eventState(event));
  return html`<div class="head" id="registrations">
      <h2>Registrations</h2>
      ${canAdd ? html`<a class="button secondary" href="${path}/registrations/new">Add registration</a>` : ''}
    </div>
    ${tabs([
      { text: `All ${totalCount}`, href: `${path}#registrations`, current: status === undefined },
      ...REGISTRATION_STATUSES.map((option) => ({
        text: `${statusText(option)} ${counts.get(option) ?? 0}`,
        href: `${path}?status=${option}#registrations`,
        current: option === status,
      })),
    ])}
    ${rows.length ? table('Registrations', columns, rows) : empty('No registrations.')}
    ${pager(path, { cursor, next, ...(status && { filters: { status } }) })}`;
}
