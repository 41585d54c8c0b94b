import { invalidRequest } from './error.ts';
import { feeCoverCents, DEFAULT_FEE } from './fee-cover.ts';
import type { Frequency, FundChoice, DonationTerms, DonationTermsInput } from './donation-terms.ts';
import type { CreatePaymentIntent } from './payment-intent.ts';
import { PAYMENT_METHOD_TYPES } from './payment-method.ts';

const DEFAULT_PRESETS_CENTS = [2500, 5000, 10_000, 25_000];

/** A donation after the form's terms have been applied: with the fixed fund and campaign. */
export type ResolvedDonation = CreatePaymentIntent & { campaign_id?: string };

/** Returns the amounts that a form offers at a frequency, in minor units. */
export const presetAmountsFor = (
  terms: Pick<DonationTerms, 'preset_amounts_cents' | 'preset_amounts_by_frequency'>,
  frequency: Frequency,
): number[] => terms.preset_amounts_by_frequency[frequency] ?? terms.preset_amounts_cents;

/**
 * Fills in the defaults of a form's terms and checks that the terms do not contradict each other.
 *
 * @param bounds the smallest and largest donation that the API accepts, in minor units
 * @param funds the funds that `fund_choice_ids` names, with their names
 * @throws {ConnectError} `invalid_request` naming the field that contradicts another
 */
export function completeTerms(
  input: DonationTermsInput,
  bounds: { min: number; max: number },
  funds: readonly FundChoice[] = [],
): DonationTerms {
  const terms: DonationTerms = {
    fund_id: input.fund_id ?? null,
    campaign_id: input.campaign_id ?? null,
    ...completeAmounts(input, bounds),
    fee_cover: input.fee_cover ?? 'off',
    fee_cover_basis_points: input.fee_cover_basis_points ?? DEFAULT_FEE.basis_points,
    fee_cover_fixed_cents: input.fee_cover_fixed_cents ?? DEFAULT_FEE.fixed_cents,
    fund_choices: completeFunds(input, funds),
    allow_dedication: input.allow_dedication ?? false,
    allow_anonymous: input.allow_anonymous ?? false,
    allow_comment: input.allow_comment ?? false,
    prefill_from_url: input.prefill_from_url ?? [],
    success_url: input.success_url ?? null,
    show_goal: input.show_goal ?? false,
    card_loading: input.card_loading ?? 'interaction',
    payment_method_types: completeMethods(input),
  };
  checkDefaultAmount(terms);
  if (terms.show_goal && terms.campaign_id === null)
    throw invalidRequest('show_goal', 'requires campaign_id.');
  return terms;
}

/** Completes the fields for amounts and frequencies. */
function completeAmounts(input: DonationTermsInput, bounds: { min: number; max: number }) {
  const min = input.min_amount_cents ?? bounds.min;
  const max = input.max_amount_cents ?? bounds.max;
  if (min > max)
    throw invalidRequest('min_amount_cents', 'must not be greater than max_amount_cents.');
  const inBounds = (cents: number) => cents >= min && cents <= max;
  const { frequencies, default_frequency, presetsByFrequency } = completeFrequencies(input);
  const presets = input.preset_amounts_cents ?? DEFAULT_PRESETS_CENTS.filter(inBounds);
  for (const [field, amounts] of [
    ['preset_amounts_cents', presets] as const,
    ...Object.values(presetsByFrequency).map(
      (presetAmounts) => ['preset_amounts_by_frequency', presetAmounts] as const,
    ),
  ]) {
    if (!amounts.every(inBounds)) {
      throw invalidRequest(field, `must all be between ${min} and ${max}.`);
    }
  }
  const locked = input.amount_locked ?? false;
  const presetsOfFrequencies = frequencies.map(
    (frequency) => presetsByFrequency[frequency] ?? input.preset_amounts_cents,
  );
  if (locked && !presetsOfFrequencies.every((amounts) => amounts?.length)) {
    throw invalidRequest('amount_locked', 'requires preset_amounts_cents.');
  }
  return {
    preset_amounts_cents: presets,
    default_amount_cents: input.default_amount_cents ?? null,
    amount_locked: locked,
    min_amount_cents: min,
    max_amount_cents: max,
    frequencies,
    default_frequency,
    preset_amounts_by_frequency: presetsByFrequency,
  };
}

function completeFrequencies(input: DonationTermsInput) {
  const frequencies = input.frequencies ?? ['one_time'];
  const presetsByFrequency = input.preset_amounts_by_frequency ?? {};
  const default_frequency = input.default_frequency ?? frequencies[0]!;
  if (new Set(frequencies).size < frequencies.length) {
    throw invalidRequest('frequencies', 'contains a duplicate.');
  }
  if (!frequencies.includes(default_frequency)) {
    throw invalidRequest('default_frequency', 'must be one of frequencies.');
  }
  for (const frequency of Object.keys(presetsByFrequency)) {
    if (!frequencies.includes(frequency as Frequency)) {
      throw invalidRequest(
        'preset_amounts_by_frequency',
        `contains ${frequency}, which is not one of frequencies.`,
      );
    }
  }
  return { frequencies, default_frequency, presetsByFrequency };
}

function completeFunds(input: DonationTermsInput, funds: readonly FundChoice[]): FundChoice[] {
  const ids = input.fund_choice_ids ?? [];
  if (ids.length && input.fund_id) {
    throw invalidRequest(
      'fund_choice_ids',
      'cannot be combined with fund_id, which fixes the fund.',
    );
  }
  if (new Set(ids).size < ids.length)
    throw invalidRequest('fund_choice_ids', 'contains a duplicate.');
  return ids.map((id) => ({ id, name: funds.find((fund) => fund.id === id)?.name ?? id }));
}

/** Cards are always offered. The order is ours, so that the same choice is the same terms. */
const completeMethods = ({ payment_method_types: types }: DonationTermsInput) =>
  types ? PAYMENT_METHOD_TYPES.filter((type) => type === 'card' || types.includes(type)) : null;

function checkDefaultAmount(terms: DonationTerms): void {
  const {
    default_amount_cents: defaultCents,
    min_amount_cents: min,
    max_amount_cents: max,
  } = terms;
  if (defaultCents === null) return;
  const isAccepted = terms.amount_locked
    ? presetAmountsFor(terms, terms.default_frequency).includes(defaultCents)
    : defaultCents >= min && defaultCents <= max;
  if (!isAccepted)
    throw invalidRequest('default_amount_cents', 'is not an amount that this form accepts.');
}

/**
 * Checks a donation against the terms of its form, and adds the fund and campaign that the terms
 * fix.
 *
 * The BFF and the API both call it, so a page cannot widen the terms that the site owner set.
 *
 * @param currency ISO 4217 code of the organization; its smallest step determines the fee cover
 * @throws {ConnectError} `invalid_request` naming the field that the terms do not allow
 */
export function applyDonationTerms(
  terms: DonationTerms,
  donation: CreatePaymentIntent,
  currency: string,
): ResolvedDonation {
  const frequency = donation.frequency ?? 'one_time';
  if (!terms.frequencies.includes(frequency)) {
    throw invalidRequest('frequency', `${frequency} is not offered by this form.`);
  }
  checkAmount(terms, donation, frequency);
  checkFeeCover(terms, donation, currency);
  checkMetadata(terms, donation);
  const fund_id = resolveFund(terms, donation.fund_id);
  return {
    ...donation,
    ...(fund_id && { fund_id }),
    ...(terms.campaign_id && { campaign_id: terms.campaign_id }),
  };
}

/** The terms limit the donation without the fee cover. */
const amountWithoutFeeCents = (donation: CreatePaymentIntent) =>
  donation.amount_cents - (donation.fee_cover_cents ?? 0);

function checkAmount(
  terms: DonationTerms,
  donation: CreatePaymentIntent,
  frequency: Frequency,
): void {
  const cents = amountWithoutFeeCents(donation);
  if (terms.amount_locked && !presetAmountsFor(terms, frequency).includes(cents)) {
    throw invalidRequest('amount_cents', 'must be one of the amounts that this form offers.');
  }
  if (cents < terms.min_amount_cents) {
    throw invalidRequest('amount_cents', `must be at least ${terms.min_amount_cents}.`);
  }
  if (cents > terms.max_amount_cents) {
    throw invalidRequest('amount_cents', `must be at most ${terms.max_amount_cents}.`);
  }
}

function checkFeeCover(
  terms: DonationTerms,
  donation: CreatePaymentIntent,
  currency: string,
): void {
  const { fee_cover_cents: cover = 0 } = donation;
  if (cover === 0) return;
  if (terms.fee_cover === 'off') {
    throw invalidRequest('fee_cover_cents', 'is not offered by this form.');
  }
  const expectedCents = feeCoverCents(terms, amountWithoutFeeCents(donation), currency);
  if (cover !== expectedCents)
    throw invalidRequest('fee_cover_cents', `must be ${expectedCents} for this donation.`);
}

function checkMetadata(terms: DonationTerms, { metadata = {} }: CreatePaymentIntent): void {
  const allowed: Record<string, boolean> = {
    dedication: terms.allow_dedication,
    comment: terms.allow_comment,
    anonymous: terms.allow_anonymous && metadata['anonymous'] === 'true',
    locale: true, // The donor's language, for the receipt.
  };
  for (const key of Object.keys(metadata)) {
    if (allowed[key] !== true)
      throw invalidRequest(`metadata.${key}`, 'is not offered by this form.');
  }
}

function resolveFund(
  terms: DonationTerms,
  requestedFundId: string | undefined,
): string | undefined {
  if (terms.fund_id && requestedFundId && requestedFundId !== terms.fund_id) {
    throw invalidRequest('fund_id', 'cannot be changed: this form fixes the fund.');
  }
  // If the form has no fund and no fund choices, the page cannot add a fund.
  if (
    !terms.fund_id &&
    requestedFundId &&
    !terms.fund_choices.some(({ id }) => id === requestedFundId)
  ) {
    throw invalidRequest('fund_id', 'must be one of the funds that this form offers.');
  }
  return terms.fund_id ?? requestedFundId;
}
