import { formatMoney } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { Selectable } from 'kysely';
import { isCounted } from '@connect-embed/api/db/counted';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import type { Database } from '@connect-embed/api/db/schema';
import {
  canEditDonors,
  isPaymentOf,
  isPlanOf,
  isRegistrationOf,
  loadOtherEmails,
  type DonorRow,
} from '@connect-embed/api/payments/donors/find-donor';
import { loadNotes } from '@connect-embed/api/payments/donors/donor-notes';
import type { Html } from '@connect-embed/api/lib/html';
import {
  loadDonorTotals,
  loadDonorYears,
  type DonorTotals,
} from '@connect-embed/api/resources/donor-totals';
import { readPage } from '@connect-embed/api/resources/lists/page';
import type { Deps } from '../pages/deps.ts';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import { dateElement } from '../pages/dashboard-layout.ts';
import { donationColumns, selectDonationRows } from '../donations/donation-table.ts';
import { paymentsUnderWay, selectOnTheirWay, selectReturned } from '../donations/on-their-way.ts';
import type { DashboardContext } from '../pages/env.ts';
import { statusBadge as registrationBadge } from '../events/event-labels.ts';
import { FormFields, type FormState } from '../pages/fields.ts';
import { listView } from '../pages/list.ts';
import { organizationPath, renderPage } from '../pages/render-page.ts';
import { columnsAt as planColumns } from '../recurring-donations/plan-view.ts';
import { facts, figures, table, type Column } from '../pages/table.ts';
import { historyView, loadDonorHistory } from './donor-history.ts';
import { actingMember, donorLink, donorName } from '../pages/donor-in-path.ts';
import { notesView } from './notes.ts';

/** Maximum number of recurring donations and of registrations on the page. One more is read, to say so. */
const MAX_ROWS = 50;

/** Renders the newest rows of one kind; empty if there are none. */
const newest = <Row>(title: string, columns: readonly Column<Row>[], rows: readonly Row[]) =>
  rows.length > 0
    ? html`<h2>${title}</h2>
        ${table(title, columns, rows.slice(0, MAX_ROWS))}
        ${
          rows.length > MAX_ROWS
            ? html`<p class="small muted">These are the newest ${MAX_ROWS}.</p>`
            : ''
        }`
    : '';

/**
 * Renders the page of one donor: contact data, notes, donations, recurring donations, registrations and
 * history, each if the member may read it.
 *
 * @param draft a new note that could not be saved
 */
export async function renderDonorPage(
  c: DashboardContext,
  deps: Deps,
  donor: DonorRow,
  draft: FormState = new FormFields(),
): Promise<Response> {
  const { timeZone, permissions } = c.var.organization;
  const organization = organizationPath(c, '');
  const { href: path } = donorLink(donor, c);
  const [otherEmails, notes, history, donations, plans, registrations] = await Promise.all([
    loadOtherEmails(deps.db, donor),
    loadNotes(deps.db, donor.organization_id, donor.id),
    loadDonorHistory(deps.db, donor, permissions.has('donations:read')),
    donationsOf(c, deps, donor),
    plansOf(c, deps, donor),
    registrationsOf(c, deps, donor),
  ]);
  return renderPage(c, {
    title: donorName(donor),
    backLink: { href: organizationPath(c, '/donors'), text: 'Donors' },
    problem: draft.rejection,
    content: html`${contactView(c, donor, otherEmails, path)}
    ${donor.erased_at ? '' : notesView({ path, notes, member: actingMember(c), draft, timeZone })}
    ${donations} ${plans} ${registrations}
    ${historyView(donor, history, { organization, timeZone })}`,
  });
}

const contactView = (
  c: DashboardContext,
  donor: DonorRow,
  otherEmails: readonly string[],
  path: string,
): Html =>
  html`${
      donor.erased_at &&
      html`<p class="notice">
        The data of this donor was erased on
        ${dateElement(donor.erased_at, c.var.organization.timeZone)}. The donations stay for the
        accounts.
      </p>`
    }
    <section class="panel" aria-label="Donor">
      ${donorFacts(donor, otherEmails, c.var.organization.timeZone)}
      ${canEditDonors(c.var.organization) && !donor.erased_at ? actions(path) : ''}
    </section>`;

const actions = (path: string): Html =>
  html`<div class="buttons">
    <a class="button secondary" href="${path}/correct">Correct name or email</a>
    <a class="button secondary" href="${path}/merge">Merge with another donor</a>
    <form method="post" action="${path}/export">
      <button class="secondary">Export data</button>
    </form>
    <a class="button danger" href="${path}/erase">Erase data</a>
  </div>`;

const donorFacts = (donor: DonorRow, otherEmails: readonly string[], timeZone: string) =>
  facts([
    ['Email', donor.email],
    ...(otherEmails.length > 0 ? [['Other email', otherEmails.join(', ')] as const] : []),
    ['Phone', donor.phone],
    [
      'Address',
      [donor.city, donor.state, donor.postal_code, donor.country].filter(Boolean).join(', ') ||
        null,
    ],
    ['Since', dateElement(donor.created_at, timeZone)],
    ['Last changed', dateElement(donor.updated_at, timeZone)],
    ['Donor ID', html`<code>${donor.id}</code>`],
  ]);

/** Renders the totals and donations of one donor. */
async function donationsOf(c: DashboardContext, deps: Deps, donor: DonorRow): Promise<Html | ''> {
  const { id } = donor;
  const { organizationId, permissions, timeZone } = c.var.organization;
  if (!permissions.has('donations:read')) return '';
  const select = selectDonationRows(deps.db, organizationId)
    .where('donation.contact_id', '=', id)
    .where(isCounted('donation', organizationId));
  const [underWay, donorTotals, years, list] = await Promise.all([
    paymentsOf(c, deps, donor),
    loadDonorTotals(deps.db, organizationId, [id]),
    loadDonorYears(deps.db, organizationId, id, timeZone),
    listView(c, {
      label: 'Donations',
      path: organizationPath(c, `/donors/${id}`),
      table: 'donation',
      filters: { contact_id: id },
      read: (page) => readPage(deps.cursorEncrypter, page, select, (row) => row),
      columns: donationColumns(organizationPath(c, '/donations'), timeZone),
      empty: 'No donations from this donor.',
    }),
  ]);
  return html`${underWay}
    <h2>Donations</h2>
    ${(donorTotals.get(id) ?? []).map(totalFigures)} ${list}
    ${
      years.length > 0
        ? html`<h2>Donations by year</h2>
            <p class="small muted">
              By the day on which the money arrived. The receipt of a bank debit has the day on
              which the donor confirmed it.
            </p>
            ${table('Donations by year', YEAR_COLUMNS, years)}`
        : ''
    }`;
}

type DonorYear = DonorTotals & { year: number };

const yearMoney =
  (key: 'gross_cents' | 'refunded_cents' | 'disputed_cents' | 'remaining_cents') =>
  (row: DonorYear) =>
    formatMoney(row[key], row.currency, LOCALE);

/** A donation belongs to the year in which its money arrived. */
const YEAR_COLUMNS: Column<DonorYear>[] = [
  { head: 'Year', as: 'rowHeader', cell: ({ year }) => String(year) },
  { head: 'Donations', as: 'number', cell: ({ count }) => count.toLocaleString(LOCALE) },
  { head: 'Gross', as: 'number', cell: yearMoney('gross_cents') },
  { head: 'Refunded', as: 'number', cell: yearMoney('refunded_cents') },
  { head: 'Disputed', as: 'number', cell: yearMoney('disputed_cents') },
  { head: 'Total after refunds and disputes', as: 'number', cell: yearMoney('remaining_cents') },
];

/** Renders the payments of one donor that are on their way or were returned. */
async function paymentsOf(c: DashboardContext, { db }: Deps, donor: DonorRow): Promise<Html | ''> {
  const { organizationId, timeZone } = c.var.organization;
  const [onTheirWay, returned] = await Promise.all([
    selectOnTheirWay(db, organizationId)
      .where(isPaymentOf(donor))
      .orderBy('payment_intent.created_at', 'desc')
      .limit(MAX_ROWS)
      .execute(),
    selectReturned(db, organizationId).where(isPaymentOf(donor)).limit(MAX_ROWS).execute(),
  ]);
  return paymentsUnderWay(onTheirWay, returned, { path: organizationPath(c, ''), timeZone });
}

const totalFigures = ({ count, currency, ...totals }: DonorTotals) => {
  const money = (cents: number) => formatMoney(cents, currency, LOCALE);
  return figures([
    ['Donations', count.toLocaleString(LOCALE)],
    ['Gross', money(totals.gross_cents)],
    ['Refunded', money(totals.refunded_cents)],
    ...(totals.disputed_cents ? [['Disputed', money(totals.disputed_cents)] as const] : []),
    ['Total', money(totals.remaining_cents), 'after refunds and disputes'],
  ]);
};

/** Renders the recurring donations of one donor, if there are any. */
async function plansOf(c: DashboardContext, { db }: Deps, donor: DonorRow): Promise<Html | ''> {
  const { organizationId, permissions, timeZone } = c.var.organization;
  if (!permissions.has('donations:read')) return '';
  const plans = await forOrganization(db, organizationId)
    .selectFrom('recurring_plan')
    .selectAll()
    .where(isCounted('recurring_plan', organizationId))
    .where(isPlanOf(donor))
    .orderBy('created_at', 'desc')
    .limit(MAX_ROWS + 1)
    .execute();
  const columns = planColumns(organizationPath(c, '/plans'), timeZone);
  return newest('Recurring donations', columns, plans);
}

/** Renders the registrations for events with the donor's email address, if there are any. */
async function registrationsOf(
  c: DashboardContext,
  { db }: Deps,
  donor: DonorRow,
): Promise<Html | ''> {
  const { organizationId, permissions } = c.var.organization;
  if (!permissions.has('registrations:read')) return '';
  const rows = await forOrganization(db, organizationId)
    .selectFrom('registration')
    .innerJoin('event', 'event.id', 'registration.event_id')
    .where(isRegistrationOf(donor))
    .orderBy('registration.created_at', 'desc')
    .limit(MAX_ROWS + 1)
    .selectAll('registration')
    .select('event.title')
    .execute();
  return newest('Event registrations', registrationColumns(c), rows);
}

type ListedRegistration = Selectable<Database['registration']> & { title: string };

const registrationColumns = (c: DashboardContext): Column<ListedRegistration>[] => [
  {
    head: 'Event',
    as: 'rowHeader',
    cell: ({ event_id, id, title }) =>
      html`<a href="${organizationPath(c, `/events/${event_id}/registrations/${id}`)}"
        >${title}</a
      >`,
  },
  {
    head: 'Registered',
    cell: ({ created_at }) => dateElement(created_at, c.var.organization.timeZone),
  },
  { head: 'Status', cell: ({ status }) => registrationBadge(status) },
  { head: 'Seats', as: 'number', cell: ({ quantity }) => quantity },
];
