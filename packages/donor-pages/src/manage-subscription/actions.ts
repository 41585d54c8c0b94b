import {
  AmbiguousAmountError,
  ConnectError,
  currencyStep,
  describeReadings,
  formatMoney,
  isDebit,
  MAX_DONATION_CENTS,
  parseMoney,
} from '@connect-embed/contract';
import type { Deps } from '../deps.ts';
import { withDeadline } from '@connect-embed/api/payments/stripe/deadline';
import { isAllowedAmount, decodeAmounts } from '@connect-embed/api/payments/subscriptions/amounts';
import {
  splitAmount,
  decodeFeeCover,
  addFeeCover,
  type AmountParts,
  type FeeRate,
} from '@connect-embed/api/payments/subscriptions/fee-cover';
import { syncSubscription } from '@connect-embed/api/payments/subscriptions/sync-subscription';
import type { ManagedSubscription } from './find-subscription.ts';

type ActionDeps = Pick<Deps, 'db' | 'processor' | 'webhooks' | 'log'>;

/** Changes of a subscription that need no input. */
export const ACTIONS = {
  pause: (deps: ActionDeps, { target }: ManagedSubscription) =>
    deps.processor.pauseSubscription(target),
  resume: (deps: ActionDeps, { target }: ManagedSubscription) =>
    deps.processor.resumeSubscription(target),
  cancel: (deps: ActionDeps, { target }: ManagedSubscription) =>
    deps.processor.cancelSubscription(target),
} as const;
export type Action = keyof typeof ACTIONS;

/**
 * Makes a change at Stripe, then fetches and saves the subscription. If the process crashes in
 * between, Stripe's event updates our row.
 */
export async function applyChange(
  deps: ActionDeps,
  subscription: ManagedSubscription,
  change: () => Promise<unknown>,
): Promise<void> {
  await change();
  await refreshSubscription(deps, subscription);
}

const refreshSubscription = (deps: ActionDeps, { row, target }: ManagedSubscription) =>
  syncSubscription(deps, {
    organizationId: row.organization_id,
    account: target.stripeAccount,
    subscriptionId: target.subscriptionId,
  });

/**
 * Fetches a subscription whose fee cover was never saved, because it is older than the column.
 * Changing its amount would lose the fee cover, so the amount cannot be changed until the fetch
 * succeeds.
 *
 * @returns whether the row has changed
 */
export async function fetchMissingFeeCover(
  deps: ActionDeps,
  subscription: ManagedSubscription,
): Promise<boolean> {
  const { row } = subscription;
  if (row.fee_cover !== null) return false;
  try {
    await withDeadline(() => refreshSubscription(deps, subscription));
    return true;
  } catch (err) {
    deps.log.warn(
      { err, plan_id: row.id },
      'the fee cover of a recurring plan could not be loaded',
    );
    return false;
  }
}

/** Splits a subscription's amount into the donation and the fee cover. */
export const amountPartsOf = ({ row }: ManagedSubscription): AmountParts =>
  splitAmount(row.amount_cents, decodeFeeCover(row.fee_cover), row.currency);

/**
 * The rate of the fee that is added to a new amount. Undefined if the donor covers no fee, or pays by bank debit: the rate
 * is that of a card, and the form asks for no fee of a debit either.
 */
export const rateForNewAmount = ({ row }: ManagedSubscription): FeeRate | undefined =>
  isDebit(row.card_label?.split(' ')[0]) ? undefined : decodeFeeCover(row.fee_cover);

/**
 * Parses a new amount that a donor typed or selected. If the donor covers the card fee, the fee of
 * the new amount is added.
 *
 * @returns the parts, or what is wrong with the amount in the donor's language
 */
export function readAmount(
  subscription: ManagedSubscription,
  field: (name: string) => string,
): AmountParts | { problem: string } {
  const { row, translator } = subscription;
  const notAllowed = { problem: describeAllowedAmounts(subscription) };
  let cents: number;
  try {
    cents = field('cents')
      ? Number(field('cents'))
      : parseMoney(field('amount'), row.currency, translator.locale);
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    if (!(error instanceof AmbiguousAmountError)) return notAllowed;
    const readings = describeReadings(error, row.currency, translator.locale);
    return { problem: translator.translate('ambiguous_amount', readings) };
  }
  if (!Number.isSafeInteger(cents) || cents % currencyStep(row.currency)) return notAllowed;
  if (!isAllowedAmount(decodeAmounts(row.amounts), cents)) return notAllowed;
  const parts = addFeeCover(cents, rateForNewAmount(subscription), row.currency);
  return parts.donationCents + parts.coverCents <= MAX_DONATION_CENTS ? parts : notAllowed;
}

function describeAllowedAmounts({ row, translator }: ManagedSubscription): string {
  const amounts = decodeAmounts(row.amounts);
  const { min, max } =
    'choices' in amounts
      ? { min: Math.min(...amounts.choices), max: Math.max(...amounts.choices) }
      : amounts;
  const money = (cents: number) =>
    formatMoney(cents, row.currency, translator.locale, { trim: true });
  return translator.translate('bad_amount', { min: money(min), max: money(max) });
}
