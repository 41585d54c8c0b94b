import { formatMoney, REGISTRATION_STATUSES, type Registration } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { Deps } from '../pages/deps.ts';
import type { Db } from '@connect-embed/api/db/schema';
import { readPage } from '@connect-embed/api/resources/lists/page';
import { eventState, isActionAllowed } from '@connect-embed/api/resources/events/event-state';
import type { EventRow, TicketTypeRow } from '@connect-embed/api/resources/events/capacity';
import type { RegistrationRow } from '@connect-embed/api/payments/registrations/find-registration';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import type { Html } from '@connect-embed/api/lib/html';
import { dateElement } from '../pages/dashboard-layout.ts';
import type { DashboardContext } from '../pages/env.ts';
import { hasPermission } from '../pages/navigation.ts';
import { listView, tabs } from '../pages/list.ts';
import type { Column } from '../pages/table.ts';
import { statusBadge, statusText } from './event-labels.ts';
import { forOrganization } from '@connect-embed/api/db/organization-scope';

type Status = Registration['status'];

/** The number of an event's registrations of each status. Statuses without registrations are missing. */
export type RegistrationCounts = ReadonlyMap<Status, number>;

export async function countRegistrations(db: Db, event: EventRow): Promise<RegistrationCounts> {
  const counts = await forOrganization(db, event.organization_id)
    .selectFrom('registration')
    .select((eb) => ['status', eb.fn.countAll<number>().as('count')] as const)
    .where('event_id', '=', event.id)
    .groupBy('status')
    .execute();
  return new Map(counts.map(({ status, count }) => [status, Number(count)]));
}

/** The registrations of an event, and what their list shows besides them. */
interface RegistrationList {
  /** URL path of the page of the event. */
  path: string;
  event: EventRow;
  counts: RegistrationCounts;
  tickets: readonly TicketTypeRow[];
}

/**
 * Renders the registrations of an event, newest first. The URL parameter `status` filters by
 * status.
 */
export async function registrationList(
  c: DashboardContext,
  { db, cursorEncrypter }: Pick<Deps, 'db' | 'cursorEncrypter'>,
  { path, event, counts, tickets }: RegistrationList,
): Promise<Html> {
  const status = REGISTRATION_STATUSES.find((option) => option === c.req.query('status'));
  let select = forOrganization(db, event.organization_id)
    .selectFrom('registration')
    .selectAll('registration')
    .where('registration.event_id', '=', event.id);
  if (status) select = select.where('registration.status', '=', status);
  const list = await listView(c, {
    label: 'Registrations',
    path,
    table: 'registration',
    filters: { event_id: event.id, ...(status && { status }) },
    params: status ? { status } : {},
    read: (page) => readPage(cursorEncrypter, page, select, (row) => row),
    columns: columnsAt(path, event, tickets, c.var.organization.currency),
    empty: 'No registrations.',
  });
  const canAdd =
    hasPermission(c.var.organization, 'admin') && isActionAllowed('register', eventState(event));
  return html`<div class="head" id="registrations">
      <h2>Registrations</h2>
      ${canAdd ? html`<a class="button secondary" href="${path}/registrations/new">Add registration</a>` : ''}
    </div>
    ${tabs('Status', statusTabs(path, counts, status))} ${list}`;
}

function statusTabs(path: string, counts: RegistrationCounts, selected: Status | undefined) {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [
    { text: `All ${total}`, href: `${path}#registrations`, current: selected === undefined },
    ...REGISTRATION_STATUSES.map((status) => ({
      text: `${statusText(status)} ${counts.get(status) ?? 0}`,
      href: `${path}?status=${status}#registrations`,
      current: status === selected,
    })),
  ];
}

function columnsAt(
  path: string,
  { timezone }: EventRow,
  tickets: readonly TicketTypeRow[],
  currency: string,
): Column<RegistrationRow>[] {
  const ticketNames = new Map(tickets.map(({ id, name }) => [id, name]));
  const ticketColumn: Column<RegistrationRow> = {
    head: 'Ticket',
    cell: (row) => ticketNames.get(row.ticket_type_id ?? '') ?? null,
  };
  return [
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
    ...(tickets.length ? [ticketColumn] : []),
    { head: 'Registered', cell: ({ created_at }) => dateElement(created_at, timezone) },
    { head: 'Seats', as: 'number', cell: ({ quantity }) => quantity },
    {
      head: 'Paid',
      as: 'number',
      cell: ({ amount_paid_cents }) => formatMoney(amount_paid_cents, currency, LOCALE),
    },
  ];
}
