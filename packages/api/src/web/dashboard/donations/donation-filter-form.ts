import { html } from 'hono/html';
import type { Db } from '../../../db/schema.ts';
import type { Html } from '../../../lib/html.ts';
import { amount, input, select } from '../field-view.ts';
import type { DonationView } from './donation-query.ts';
import { DONATION_STATUSES } from './donation-status.ts';
import { PAYMENT_METHOD_LABELS } from './payment-method.ts';
import { PERIODS } from '../lists/period.ts';
import { searchForm } from '../lists/search-form.ts';
import { forOrganization } from '../../../db/organization-scope.ts';

/** Funds and campaigns in the filter form. */
interface Targets {
  funds: { id: string; name: string }[];
  campaigns: { id: string; name: string }[];
}

/** Maximum number of funds or campaigns in a drop-down list, which contains the newest ones. */
const MAX_TARGETS = 200;

export async function readTargets(db: Db, organizationId: string): Promise<Targets> {
  const loadTargets = (table: 'fund' | 'campaign') =>
    forOrganization(db, organizationId)
      .selectFrom(table)
      .select(['id', 'name'])
      .orderBy('created_at', 'desc')
      .limit(MAX_TARGETS)
      .execute();
  const [funds, campaigns] = await Promise.all([loadTargets('fund'), loadTargets('campaign')]);
  const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
  return { funds: funds.sort(byName), campaigns: campaigns.sort(byName) };
}

/** Renders the search and filter form of the donation list. */
export const donationFilterForm = (path: string, view: DonationView, targets: Targets): Html => {
  const { fields, params } = view;
  const { search: _, ...filters } = params;
  const isOpen = Object.keys(filters).length > 0 || fields.hasErrors;
  return searchForm(
    path,
    {
      q: fields.value('q'),
      hint: 'Name, email or reference',
      clear: Object.keys(params).length > 0 ? 'Clear search and filters' : undefined,
    },
    html`<details ${isOpen ? 'open' : ''}>
      <summary>Filters</summary>
      <div class="grid">${filterFields(view, targets)}</div>
      ${fields.value('payout') ? html`<input type="hidden" name="payout" value="${fields.value('payout')}" />` : ''}
      <button class="secondary">Apply filters</button>
    </details>`,
  );
};

const filterFields = ({ fields, currency }: DonationView, { funds, campaigns }: Targets): Html => {
  const code = currency.toUpperCase();
  return html`
    ${select(fields, { name: 'period', label: 'Period', plain: true }, [ALL_TIME, ...choices(PERIODS)])}
    ${input(fields, { name: 'from', label: 'From', type: 'date', plain: true })}
    ${input(fields, { name: 'to', label: 'To', type: 'date', plain: true })}
    ${select(fields, { name: 'status', label: 'Status', plain: true }, [ANY, ...STATUSES])}
    ${select(fields, { name: 'fund', label: 'Fund', plain: true }, [ANY, ...toOptions(funds)])}
    ${select(fields, { name: 'campaign', label: 'Campaign', plain: true }, [ANY, ...toOptions(campaigns)])}
    ${select(fields, { name: 'frequency', label: 'Type', plain: true }, [ANY, ...FREQUENCIES])}
    ${select(fields, { name: 'method', label: 'Payment method', plain: true }, [ANY, ...choices(PAYMENT_METHOD_LABELS)])}
    ${amount(fields, { name: 'min', label: `Minimum (${code})`, plain: true })}
    ${amount(fields, { name: 'max', label: `Maximum (${code})`, plain: true })}
  `;
};

const ANY = { value: '', text: 'Any' };
const ALL_TIME = { value: '', text: 'All time' };

const choices = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([value, text]) => ({ value, text }));

const toOptions = (list: { id: string; name: string }[]) =>
  list.map(({ id, name }) => ({ value: id, text: name }));

const STATUSES = Object.entries(DONATION_STATUSES).map(([value, { text }]) => ({ value, text }));

const FREQUENCIES = [
  { value: 'one_time', text: 'One-time' },
  { value: 'recurring', text: 'Recurring' },
];
