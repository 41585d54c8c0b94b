import { html } from 'hono/html';
import type { Html } from '@connect-embed/api/lib/html';
import type { Choice } from '../pages/field-view.ts';
import type { DonationView } from './donation-query.ts';
import {
  CARD_BRAND_LABELS,
  PAYMENT_METHOD_LABELS,
} from '@connect-embed/api/resources/donations/payment-method';
import { DONATION_STATUSES } from './donation-status.ts';
import {
  amountFields,
  choices,
  optionField,
  periodFields,
  recordChoices,
  testsField,
} from '../pages/lists/filter-form.ts';
import { searchForm } from '../pages/lists/search-form.ts';
import type { Targets } from '../pages/lists/filter-targets.ts';

export const donationFilterForm = (path: string, view: DonationView, targets: Targets): Html => {
  const { q, fields, params } = view;
  const { search: _, ...filters } = params;
  const isOpen = Object.keys(filters).length > 0 || fields.hasErrors;
  return searchForm(
    path,
    {
      q,
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

const filterFields = (
  { fields, currency }: DonationView,
  { funds, campaigns, forms, hasTests }: Targets,
): Html => {
  const option = (name: string, label: string, options: readonly Choice[]) =>
    optionField(fields, { name, label }, options);
  return html`
    ${periodFields(fields)} ${option('status', 'Status', STATUSES)}
    ${option('fund', 'Fund', recordChoices(funds))}
    ${option('campaign', 'Campaign', recordChoices(campaigns))}
    ${option('form', 'Form', recordChoices(forms))} ${option('frequency', 'Type', FREQUENCIES)}
    ${option('method', 'Payment method', choices(PAYMENT_METHOD_LABELS))}
    ${option('brand', 'Card brand', choices(CARD_BRAND_LABELS))} ${testsField(fields, hasTests)}
    ${amountFields(fields, currency)}
  `;
};

const STATUSES = Object.entries(DONATION_STATUSES).map(([value, { text }]) => ({ value, text }));

const FREQUENCIES = [
  { value: 'one_time', text: 'One-time' },
  { value: 'recurring', text: 'Recurring' },
];
