import {
  ConnectError,
  type Donation,
  type DonationFund,
  type DonationSummary,
  type Donor,
  type DonorSummary,
  type Mask,
  type Payout,
  type BalanceTransaction,
  type PayoutSummary,
  type ProcessingPayment,
  type RecurringPlan,
} from '@connect-embed/contract';
import { initialsOf } from './initials.ts';

/** Masks a field whatever the session's masks are: donors write everything into a text. */
const ANY_MASK = 'any';

/**
 * Defines how a field of a resource is masked in the responses to a component session with masks.
 * `open` means that the field contains no personal data and is never masked.
 */
type Rule =
  'open' | { mask: Mask | typeof ANY_MASK; maskedValue: (value: unknown) => string | null };
/** Requires a rule for each field, so that a new field does not compile without one. */
type Rules<Resource> = { readonly [Field in keyof Resource]-?: Rule };

type Masks = ReadonlySet<Mask>;

const INITIALS: Rule = { mask: 'names', maskedValue: initialsOf };
const nullIfMasked = (mask: Mask | typeof ANY_MASK): Rule => ({ mask, maskedValue: () => null });

const DONATION: Rules<Donation> = {
  id: 'open',
  object: 'open',
  amount_cents: 'open',
  net_amount_cents: 'open',
  currency: 'open',
  recurring: 'open',
  refund_status: 'open',
  refunded_amount_cents: 'open',
  dispute_status: 'open',
  donor_name: INITIALS,
  donor_email: nullIfMasked('emails'),
  fund_id: 'open',
  fund_name: 'open',
  campaign_id: 'open',
  contact_id: nullIfMasked('names'), // Reveals which donations are from the same person.
  source: 'open',
  source_id: 'open',
  created_at: 'open',
  reference: 'open',
  fee_cents: 'open',
  dispute_fee_cents: 'open',
  disputed_amount_cents: 'open',
  settlement_currency: 'open',
  settlement_amount_cents: 'open',
  settlement_fee_cents: 'open',
  settlement_net_cents: 'open',
  exchange_rate: 'open',
  payment_method: 'open',
  card_brand: 'open',
  payout_id: 'open',
  campaign_name: 'open',
  livemode: 'open',
  dedication: nullIfMasked(ANY_MASK),
  comment: nullIfMasked(ANY_MASK),
  form_id: 'open',
  form_name: 'open',
  page_origin: 'open',
};

const DONOR: Rules<Donor> = {
  id: 'open',
  object: 'open',
  email: nullIfMasked('emails'),
  first_name: INITIALS,
  last_name: INITIALS,
  phone: nullIfMasked('phones'),
  city: nullIfMasked('addresses'),
  state: nullIfMasked('addresses'),
  postal_code: nullIfMasked('addresses'),
  country: nullIfMasked('addresses'),
  source: 'open',
  created_at: 'open',
  updated_at: 'open',
};

const PAYOUT: Rules<Payout> = {
  id: 'open',
  object: 'open',
  amount_cents: 'open',
  currency: 'open',
  status: 'open',
  arrival_date: 'open',
  created: 'open',
  description: 'open',
  statement_descriptor: 'open',
  automatic: 'open',
  trace_id: 'open',
  livemode: 'open',
};

const BALANCE_TRANSACTION: Rules<BalanceTransaction> = {
  id: 'open',
  object: 'open',
  payout_id: 'open',
  donation_id: 'open',
  reporting_category: 'open',
  amount_cents: 'open',
  fee_cents: 'open',
  fee_details: 'open',
  net_amount_cents: 'open',
  currency: 'open',
  exchange_rate: 'open',
  available_on: 'open',
  processor_transaction_id: 'open',
  processor_source_id: 'open',
  created_at: 'open',
};

const RECURRING_PLAN: Rules<RecurringPlan> = {
  id: 'open',
  object: 'open',
  amount_cents: 'open',
  currency: 'open',
  frequency: 'open',
  status: 'open',
  donor_name: INITIALS,
  donor_email: nullIfMasked('emails'),
  fund_id: 'open',
  campaign_id: 'open',
  next_payment_at: 'open',
  created_at: 'open',
  canceled_at: 'open',
  livemode: 'open',
};

const PROCESSING_PAYMENT: Rules<ProcessingPayment> = {
  id: 'open',
  object: 'open',
  amount_cents: 'open',
  currency: 'open',
  payment_method: 'open',
  donor_name: INITIALS,
  donor_email: nullIfMasked('emails'),
  fund_id: 'open',
  campaign_id: 'open',
  form_id: 'open',
  recurring: 'open',
  expected_at: 'open',
  created_at: 'open',
  reference: 'open',
  livemode: 'open',
};

const DONATION_FUND: Rules<DonationFund> = {
  id: 'open',
  object: 'open',
  name: 'open',
  created_at: 'open',
};

/** Sums contain no personal data. */
const SUMMARY: Rules<DonationSummary> = { object: 'open', data: 'open' };
const SERIES = { ...SUMMARY, interval: 'open', time_zone: 'open' } as const;

/** Rules by `object`. Any other kind of resource is rejected for a session with masks. */
const RULES: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  donation: DONATION,
  donor: DONOR,
  payout: PAYOUT,
  balance_transaction: BALANCE_TRANSACTION,
  recurring_plan: RECURRING_PLAN,
  processing_payment: PROCESSING_PAYMENT,
  donation_summary: SUMMARY,
  donation_series: SERIES,
  donation_fund: DONATION_FUND,
  donor_summary: { object: 'open', count: 'open' } satisfies Rules<DonorSummary>,
  payout_summary: { object: 'open', data: 'open' } satisfies Rules<PayoutSummary>,
};

type Fields = Readonly<Record<string, unknown>>;

/**
 * Replaces the masked fields of a resource by initials or null, and removes all fields without a
 * rule.
 *
 * @throws {ConnectError} `forbidden` for a kind of resource without rules
 */
export function maskResource(resource: Fields, masks: Masks): Fields {
  const kind = String(resource['object']);
  const rules = Object.hasOwn(RULES, kind) ? RULES[kind] : undefined;
  if (!rules) throw fieldMaskedError(`Resources of type ${kind} are`);
  const masked: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(resource)) {
    const rule = Object.hasOwn(rules, field) ? rules[field] : undefined;
    if (rule === 'open') masked[field] = value;
    else if (rule) {
      const isMasked = rule.mask === ANY_MASK ? masks.size > 0 : masks.has(rule.mask);
      masked[field] = isMasked ? rule.maskedValue(value) : value;
    }
  }
  return masked;
}

/** Masks the JSON text of a response: a resource, or a list of resources (spec: Common envelopes). */
export function maskResponse(text: string, masks: Masks): string {
  const body = JSON.parse(text) as Fields;
  if (body['object'] !== undefined) return JSON.stringify(maskResource(body, masks));
  const { data, has_more, next_cursor } = body as { data: Fields[] } & Fields;
  return JSON.stringify({
    data: data.map((resource) => maskResource(resource, masks)),
    has_more,
    next_cursor,
  });
}

export const fieldMaskedError = (subjectWithVerb: string) =>
  new ConnectError('forbidden', `${subjectWithVerb} not available to a session with masks.`, {
    code: 'field_masked',
  });
