import { ConnectError, currencyStep, parseMoney } from '@connect-embed/contract';
import type { Deps } from '../../env.ts';
import { allows, readAmounts } from '../amounts.ts';
import { syncPlan } from '../sync-plan.ts';
import type { OpenPlan } from './find-plan.ts';

type ActDeps = Pick<Deps, 'db' | 'processor' | 'webhooks'>;

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
 * Reads a new amount as a donor typed or chose it.
 *
 * @returns undefined for what is no amount, or is not among those of the plan's form
 */
export function readAmount(plan: OpenPlan, field: (name: string) => string): number | undefined {
  const { row, speech } = plan;
  const cents = field('cents')
    ? Number(field('cents'))
    : typedAmount(field('amount'), row.currency, speech.locale);
  if (cents === undefined || !Number.isSafeInteger(cents)) return undefined;
  const fits = cents % currencyStep(row.currency) === 0;
  return fits && allows(readAmounts(row.amounts), cents) ? cents : undefined;
}

function typedAmount(text: string, currency: string, locale: string): number | undefined {
  try {
    return parseMoney(text, currency, locale);
  } catch (error) {
    if (error instanceof ConnectError) return undefined;
    throw error;
  }
}
