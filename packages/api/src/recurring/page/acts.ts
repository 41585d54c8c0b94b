import {
  ConnectError,
  currencyStep,
  MAX_DONATION_CENTS,
  parseMoney,
} from '@connect-embed/contract';
import type { Deps } from '../../env.ts';
import { inOneWait } from '../../processor/deadline.ts';
import { allows, readAmounts } from '../amounts.ts';
import { partsOf, readFeeCover, withCover, type Parts } from '../fee-cover.ts';
import { syncPlan } from '../sync-plan.ts';
import type { OpenPlan } from './find-plan.ts';

type ActDeps = Pick<Deps, 'db' | 'processor' | 'webhooks' | 'log'>;

/** What a donor can do to a plan with one press. */
export const ACTS = {
  pause: (deps: ActDeps, { place }: OpenPlan) => deps.processor.pausePlan(place),
  resume: (deps: ActDeps, { place }: OpenPlan) => deps.processor.resumePlan(place),
  cancel: (deps: ActDeps, { place }: OpenPlan) => deps.processor.cancelPlan(place),
} as const;
export type Act = keyof typeof ACTS;

/**
 * Does it at the processor, then sets our plan to what the processor says. Should we die between
 * the two, the processor's own event does the second.
 */
export async function act(
  deps: ActDeps,
  plan: OpenPlan,
  change: () => Promise<unknown>,
): Promise<void> {
  await change();
  await refresh(deps, plan);
}

export const refresh = (deps: ActDeps, { row, place }: OpenPlan) =>
  syncPlan(deps, {
    organizationId: row.organization_id,
    account: place.stripeAccount,
    subscriptionId: place.subscriptionId,
  });

/**
 * Reads a subscription whose fee cover was never saved: it began before that was kept here. A new amount would lose
 * the cover, so it waits until the subscription could be read.
 *
 * @returns whether the row has changed
 */
export async function readMissingCover(deps: ActDeps, plan: OpenPlan): Promise<boolean> {
  const { row } = plan;
  if (row.fee_cover !== null) return false;
  try {
    await inOneWait(() => refresh(deps, plan));
    return true;
  } catch (err) {
    deps.log.warn({ err, plan_id: row.id }, 'the fee cover of a plan could not be read');
    return false;
  }
}

/** What a subscription's amount is made of: the gift, and the card fee where its donor covers it. */
export const partsOfPlan = ({ row }: OpenPlan): Parts =>
  partsOf(row.amount_cents, readFeeCover(row.fee_cover), row.currency);

/**
 * Reads a new amount as a donor typed or chose it. A donor who covers the card fee goes on covering
 * it: the fee of the new amount is added.
 *
 * @returns undefined for what is no amount, or is not among those of the plan's form
 */
export function readAmount(plan: OpenPlan, field: (name: string) => string): Parts | undefined {
  const { row, speech } = plan;
  const cents = field('cents')
    ? Number(field('cents'))
    : typedAmount(field('amount'), row.currency, speech.locale);
  if (cents === undefined || !Number.isSafeInteger(cents)) return undefined;
  const fits = cents % currencyStep(row.currency) === 0;
  if (!fits || !allows(readAmounts(row.amounts), cents)) return undefined;
  const parts = withCover(cents, readFeeCover(row.fee_cover), row.currency);
  return parts.givenCents + parts.coverCents <= MAX_DONATION_CENTS ? parts : undefined;
}

function typedAmount(text: string, currency: string, locale: string): number | undefined {
  try {
    return parseMoney(text, currency, locale);
  } catch (error) {
    if (error instanceof ConnectError) return undefined;
    throw error;
  }
}
