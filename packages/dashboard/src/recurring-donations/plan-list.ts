import { html } from 'hono/html';
import { sql } from 'kysely';
import { isCounted } from '@connect-embed/api/db/counted';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import type { Db } from '@connect-embed/api/db/schema';
import { csvResponse } from '@connect-embed/api/http/csv-response';
import {
  amountCell,
  type CsvColumn,
  csvFileName,
  csvLines,
  LIVEMODE_COLUMN,
  timeColumn,
} from '@connect-embed/api/lib/csv';
import { readPage } from '@connect-embed/api/resources/lists/page';
import { applyFilters, type FilterRules } from '@connect-embed/api/resources/search/apply-filters';
import type { Deps } from '../pages/deps.ts';
import type { DashboardContext } from '../pages/env.ts';
import type { Choice } from '../pages/field-view.ts';
import { exportableList } from '../pages/lists/exportable-list.ts';
import {
  amountFields,
  choices,
  filterForm,
  INVALID_FILTERS,
  optionField,
  periodFields,
  recordChoices,
  testsField,
} from '../pages/lists/filter-form.ts';
import { fileFormName } from '../pages/lists/file-forms.ts';
import { readTargets, type Targets } from '../pages/lists/filter-targets.ts';
import {
  readAmounts,
  readId,
  readListFilters,
  readMode,
  readOption,
  type ListFilters,
} from '../pages/lists/list-filters.ts';
import { readAllPages } from '../pages/lists/read-all-pages.ts';
import { organizationPath, renderPage } from '../pages/render-page.ts';
import { CHARGED_AFTER_ERASURE } from './erased-donor.ts';
import { failingLine } from './failing-plans.ts';
import { NEEDS_PAYMENT_METHOD } from './lost-method.ts';
import { columnsAt, FREQUENCY_LABELS, PLAN_STATUSES } from './plan-view.ts';

type PlanFilters = Record<
  | 'created_from'
  | 'created_to'
  | 'status'
  | 'donor'
  | 'needs'
  | 'frequency'
  | 'fund_id'
  | 'campaign_id'
  | 'form_id'
  | 'form_name'
  | 'amount_from_cents'
  | 'amount_to_cents'
  | 'currency'
  | 'livemode',
  string
>;

/** Only the home page links these filters, so the form shows each only then. */
const DONOR_OPTIONS = { erased: 'Erased, still charged' };
const NEEDS_OPTIONS = { method: 'Another payment method' };

/** Name of the form. One of the configuration file is saved only with the payments. */
const FORM_NAME = sql<string | null>`coalesce(
  (select name from form where id = recurring_plan.form_id),
  (select form_name from donation where plan_id = recurring_plan.id and form_name is not null limit 1))`;

const PLAN_FILTERS: FilterRules<PlanFilters> = {
  created_from: (value) => sql`recurring_plan.created_at >= ${value}::timestamptz`,
  created_to: (value) => sql`recurring_plan.created_at < ${value}::timestamptz`,
  status: (value) => sql`recurring_plan.status = ${value}`,
  donor: () => CHARGED_AFTER_ERASURE,
  needs: () => NEEDS_PAYMENT_METHOD,
  frequency: (value) => sql`recurring_plan.frequency = ${value}`,
  fund_id: (value) => sql`recurring_plan.fund_id = ${value}`,
  campaign_id: (value) => sql`recurring_plan.campaign_id = ${value}`,
  form_id: (value) => sql`recurring_plan.form_id = ${value}`,
  form_name: (value) => sql`exists (
    select from donation where plan_id = recurring_plan.id and form_name = ${value})`,
  amount_from_cents: (value) => sql`recurring_plan.amount_cents >= ${value}::bigint`,
  amount_to_cents: (value) => sql`recurring_plan.amount_cents <= ${value}::bigint`,
  currency: (value) => sql`recurring_plan.currency = ${value}`,
  livemode: (value) => sql`recurring_plan.livemode = ${value}::boolean`,
};

interface PlanView extends ListFilters {
  query: Partial<PlanFilters>;
}

function readView(c: DashboardContext): PlanView {
  const names = ['status', 'donor', 'needs', 'frequency', 'fund', 'campaign', 'form'];
  const filters = readListFilters(c, [...names, 'min', 'max', 'mode']);
  const { fields } = filters;
  const formName = fileFormName(fields.value('form'));
  const conditions = {
    status: readOption(fields, 'status', Object.keys(PLAN_STATUSES)),
    donor: readOption(fields, 'donor', Object.keys(DONOR_OPTIONS)),
    needs: readOption(fields, 'needs', Object.keys(NEEDS_OPTIONS)),
    frequency: readOption(fields, 'frequency', Object.keys(FREQUENCY_LABELS)),
    fund_id: readId(fields, 'fund'),
    campaign_id: readId(fields, 'campaign'),
    ...(formName ? { form_name: formName } : { form_id: readId(fields, 'form') }),
    ...filters.bounds,
    ...readMode(fields),
    ...readAmounts(fields, c.var.organization.currency),
  };
  const query = Object.fromEntries(Object.entries(conditions).filter(([, value]) => value));
  return { ...filters, query };
}

const selectPlans = (db: Db, organizationId: string, query: PlanView['query']) =>
  applyFilters(
    forOrganization(db, organizationId)
      .selectFrom('recurring_plan')
      .$if(query.livemode === undefined, (plans) =>
        plans.where(isCounted('recurring_plan', organizationId)),
      )
      .selectAll('recurring_plan')
      // Subqueries for each row: with a join PostgreSQL may no longer read the list in index order.
      .select([
        sql<string | null>`(select name from fund where id = recurring_plan.fund_id)`.as('fund'),
        sql<string | null>`(select name from campaign where id = recurring_plan.campaign_id)`.as(
          'campaign',
        ),
        FORM_NAME.as('form'),
      ]),
    PLAN_FILTERS,
    query,
  );

type ListedPlan = Awaited<ReturnType<ReturnType<typeof selectPlans>['execute']>>[number];

export async function renderPlanList(c: DashboardContext, deps: Deps) {
  const { db, cursorEncrypter } = deps;
  const path = organizationPath(c, '/plans');
  const { organizationId, timeZone } = c.var.organization;
  const view = readView(c);
  const title = 'Recurring donations';
  const form = planFilterForm(c, path, view, await readTargets(db, organizationId));
  if (view.fields.hasErrors)
    return renderPage(c, { title, content: form, problem: INVALID_FILTERS });
  const select = selectPlans(db, organizationId, view.query);
  const isFiltered = Object.keys(view.params).length > 0;
  const failing = await failingLine(c, deps);
  const list = await exportableList(c, {
    label: title,
    noun: 'recurring donation',
    path,
    table: 'recurring_plan',
    filters: view.query,
    view,
    select,
    read: (page) => readPage(cursorEncrypter, page, select, (row) => row),
    columns: columnsAt(path, timeZone),
    empty: isFiltered
      ? 'No recurring donations match.'
      : 'No recurring donations yet. Offer them with the frequencies of a form.',
  });
  const content = html`<p class="muted">
      Each payment of a recurring donation is recorded as its own donation. Donors manage their
      recurring donation through the link in their receipt.
    </p>
    ${failing} ${form} ${list}`;
  return renderPage(c, { title, content });
}

function planFilterForm(
  c: DashboardContext,
  path: string,
  view: PlanView,
  { funds, campaigns, forms, hasTests }: Targets,
) {
  const { fields } = view;
  const option = (name: string, label: string, options: readonly Choice[]) =>
    optionField(fields, { name, label }, options);
  const statuses = Object.entries(PLAN_STATUSES).map(([value, [text]]) => ({ value, text }));
  return filterForm(
    path,
    view,
    html`${periodFields(fields, 'Since')} ${option('status', 'Status', statuses)}
    ${view.query.donor ? option('donor', 'Donor', choices(DONOR_OPTIONS)) : ''}
    ${view.query.needs ? option('needs', 'Needs', choices(NEEDS_OPTIONS)) : ''}
    ${option('frequency', 'Frequency', choices(FREQUENCY_LABELS))}
    ${option('fund', 'Fund', recordChoices(funds))}
    ${option('campaign', 'Campaign', recordChoices(campaigns))}
    ${option('form', 'Form', recordChoices(forms))} ${testsField(fields, hasTests)}
    ${amountFields(fields, c.var.organization.currency)}`,
  );
}

/** Exports exactly the recurring donations of the list. */
export async function exportPlans(c: DashboardContext, { db }: Deps) {
  const { organizationId, organizationName, timeZone } = c.var.organization;
  const { fields, query, period } = readView(c);
  if (fields.hasErrors)
    return c.redirect(`${organizationPath(c, '/plans')}${new URL(c.req.url).search}`, 303);
  const pages = readAllPages(selectPlans(db, organizationId, query), 'recurring_plan');
  const name = csvFileName('recurring donations', organizationName, period);
  return csvResponse(c, name, csvLines(csvColumns(timeZone), pages));
}

const csvColumns = (timeZone: string): CsvColumn<ListedPlan>[] => [
  { heading: 'Plan ID', cell: ({ id }) => id },
  timeColumn('Since', timeZone, ({ created_at }) => created_at),
  { heading: 'Donor', cell: ({ donor_name }) => donor_name },
  { heading: 'Email', cell: ({ donor_email }) => donor_email },
  { heading: 'Currency', cell: ({ currency }) => currency.toUpperCase() },
  { heading: 'Amount', cell: ({ amount_cents, currency }) => amountCell(amount_cents, currency) },
  { heading: 'Frequency', cell: ({ frequency }) => FREQUENCY_LABELS[frequency] },
  { heading: 'Status', cell: ({ status }) => PLAN_STATUSES[status][0] },
  timeColumn('Next donation', timeZone, ({ next_payment_at }) => next_payment_at),
  timeColumn('Ended', timeZone, ({ canceled_at }) => canceled_at),
  { heading: 'Fund', cell: ({ fund }) => fund },
  { heading: 'Campaign', cell: ({ campaign }) => campaign },
  { heading: 'Form', cell: ({ form }) => form },
  LIVEMODE_COLUMN,
];
