import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import type { WorkerDeps } from '../deps.ts';
import { isDisconnected, isMissing } from '../stripe/errors.ts';
import { syncSubscription } from '../subscriptions/sync-subscription.ts';
import { isPlanOf, isRegistrationOf, type DonorRow } from './find-donor.ts';

/** Number of simultaneous requests to Stripe, far below its rate limit. */
const PARALLEL_REQUESTS = 5;

/**
 * Ends the recurring donations of a donor, deletes their customers with the saved cards, and removes
 * name and address from the metadata of payments. Every step can be repeated.
 *
 * @param emails the addresses of the donor, before corrections too
 * @returns false if data stays at Stripe, because the organization removed its keys or disconnected its
 *   account
 * @throws {ConnectError} `unavailable`
 */
export async function eraseAtStripe(
  deps: WorkerDeps,
  donor: DonorRow,
  emails: readonly string[],
): Promise<boolean> {
  const { db } = deps;
  const account = await findAccount(db, donor.organization_id);
  const [plans, intents] = await Promise.all([findPlans(db, donor), findPaymentIntents(db, donor)]);
  if (!account) return plans.length + intents.length === 0;
  try {
    for (const plan of plans) await erasePlan(deps, plan, account);
    await deleteOtherCustomers(deps, { organizationId: donor.organization_id, emails }, account);
    for (let first = 0; first < intents.length; first += PARALLEL_REQUESTS) {
      const batch = intents.slice(first, first + PARALLEL_REQUESTS);
      await Promise.all(batch.map((id) => deps.processor.erasePaymentMetadata(id, account)));
    }
    return true;
  } catch (error) {
    if (isDisconnected(error)) return false;
    throw error;
  }
}

async function erasePlan(deps: WorkerDeps, plan: Plan, account: string): Promise<void> {
  await deps.processor.eraseSubscriptionMetadata(plan.processor_subscription_id, account);
  if (plan.status !== 'canceled') await endPlan(deps, plan, account);
  await deps.processor.deleteCustomer(plan.processor_customer_id, account);
}

/** Deletes the customers of recurring donations that were started and never paid: no row here names them. */
async function deleteOtherCustomers(
  { processor }: WorkerDeps,
  { organizationId, emails }: { organizationId: string; emails: readonly string[] },
  account: string,
): Promise<void> {
  for (const email of emails)
    for (const { customer, subscriptions } of await processor.listCustomers(
      { organizationId, email },
      account,
    )) {
      for (const id of subscriptions) await processor.eraseSubscriptionMetadata(id, account);
      await processor.deleteCustomer(customer, account);
    }
}

/**
 * Ends a recurring donation at Stripe and saves that. Stripe may no longer have it, for example after
 * the keys of the test mode were replaced: then it is ended here alone.
 */
async function endPlan(
  deps: WorkerDeps,
  { id, organization_id: organizationId, ...plan }: Plan,
  account: string,
): Promise<void> {
  const { processor_subscription_id: subscriptionId, processor_customer_id: customerId } = plan;
  await deps.processor.cancelSubscription({ subscriptionId, customerId, stripeAccount: account });
  try {
    await syncSubscription(deps, { organizationId, account, subscriptionId });
  } catch (error) {
    if (!isMissing(error)) throw error;
    await forOrganization(deps.db, organizationId)
      .updateTable('recurring_plan')
      .set({ status: 'canceled', canceled_at: new Date(), next_payment_at: null })
      .where('id', '=', id)
      .execute();
  }
}

async function findAccount(db: Db, organizationId: string): Promise<string | null> {
  const { processor_account_id } = await db
    .selectFrom('organization')
    .select('processor_account_id')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return processor_account_id;
}

const findPlans = (db: Db, donor: DonorRow) =>
  forOrganization(db, donor.organization_id)
    .selectFrom('recurring_plan')
    .select([
      'id',
      'organization_id',
      'status',
      'processor_subscription_id',
      'processor_customer_id',
    ])
    .where(isPlanOf(donor))
    .execute();

type Plan = Awaited<ReturnType<typeof findPlans>>[number];

/**
 * Finds the payments whose metadata names the donor. Payments of a recurring donation have none: it is
 * that of the subscription.
 */
async function findPaymentIntents(db: Db, donor: DonorRow): Promise<string[]> {
  const rows = forOrganization(db, donor.organization_id);
  const [donations, registrations] = await Promise.all([
    rows
      .selectFrom('donation')
      .select('processor_payment_intent_id as id')
      .where('contact_id', '=', donor.id)
      .where('plan_id', 'is', null)
      .execute(),
    rows
      .selectFrom('registration')
      .select('processor_payment_intent_id as id')
      .where(isRegistrationOf(donor))
      .execute(),
  ]);
  return [...donations, ...registrations].flatMap(({ id }) => id ?? []);
}
