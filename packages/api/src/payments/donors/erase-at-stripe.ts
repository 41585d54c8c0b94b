import { sql } from 'kysely';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import { batchesOf } from '../../lib/batches.ts';
import type { WorkerDeps } from '../deps.ts';
import { findModeOf } from '../own-keys/stored-keys.ts';
import { isDisconnected, isMissing } from '../stripe/errors.ts';
import { syncSubscription } from '../subscriptions/sync-subscription.ts';
import { isPaymentOf, isPlanOf, isRegistrationOf, type DonorRow } from './find-donor.ts';

/** Number of simultaneous requests to Stripe, far below its rate limit. */
const PARALLEL_REQUESTS = 5;

/**
 * Ends the recurring donations of a donor, deletes their customers with the saved cards, and removes
 * name and address from the metadata of payments. Every step can be repeated.
 *
 * @param emails the addresses of the donor in every known spelling, before corrections too
 * @returns false if data stays at Stripe, because the organization removed its keys, disconnected its
 *   account, or has returned to test keys
 * @throws {ConnectError} `unavailable` if Stripe fails, or the organization's key lacks a permission
 */
export async function eraseAtStripe(
  deps: WorkerDeps,
  donor: DonorRow,
  emails: readonly string[],
): Promise<boolean> {
  const { db } = deps;
  const account = await findAccount(db, donor.organization_id);
  const [plans, intents, livemode] = await Promise.all([
    findPlans(db, donor),
    findPaymentIntents(db, donor),
    findModeOf(deps, donor.organization_id),
  ]);
  if (!account.current) return !account.removed && plans.length + intents.length === 0;
  try {
    await eraseInAccount(deps, { donor, emails, plans, intents }, account.current);
    // Test keys find nothing of real donations. What is left of tests is no obstacle.
    return livemode || ![...plans, ...intents].some((record) => record.livemode);
  } catch (error) {
    if (isDisconnected(error)) return false;
    throw error;
  }
}

interface DonorAtStripe {
  donor: DonorRow;
  emails: readonly string[];
  plans: readonly Plan[];
  intents: readonly { id: string }[];
}

async function eraseInAccount(
  deps: WorkerDeps,
  { donor, emails, plans, intents }: DonorAtStripe,
  account: string,
): Promise<void> {
  const { processor } = deps;
  const organizationId = donor.organization_id;
  for (const plan of plans) await erasePlan(deps, plan, account);
  // Customers of recurring donations that were started and never paid: no row here names them.
  for (const email of emails) {
    const customers = await processor.listCustomers({ organizationId, email }, account);
    await inBatches(customers, (customer) => eraseCustomer(deps, customer, account));
  }
  await inBatches(intents, ({ id }) => processor.erasePaymentMetadata(id, account));
}

async function inBatches<Item>(
  items: readonly Item[],
  action: (item: Item) => Promise<void>,
): Promise<void> {
  for (const batch of batchesOf(items, PARALLEL_REQUESTS)) await Promise.all(batch.map(action));
}

async function erasePlan(deps: WorkerDeps, plan: Plan, account: string): Promise<void> {
  await deps.processor.eraseSubscriptionMetadata(plan.processor_subscription_id, account);
  if (plan.status !== 'canceled') await endPlan(deps, plan, account);
  await deps.processor.deleteCustomer(plan.processor_customer_id, account);
}

async function eraseCustomer(
  { processor }: WorkerDeps,
  customer: string,
  account: string,
): Promise<void> {
  for (const id of await processor.listSubscriptionIds(customer, account))
    await processor.eraseSubscriptionMetadata(id, account);
  await processor.deleteCustomer(customer, account);
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

/** Finds the organization's account, and the one whose keys it removed. */
const findAccount = (db: Db, organizationId: string) =>
  db
    .selectFrom('organization')
    .select(['processor_account_id as current', 'removed_account_id as removed'])
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();

const findPlans = (db: Db, donor: DonorRow) =>
  forOrganization(db, donor.organization_id)
    .selectFrom('recurring_plan')
    .select([
      'id',
      'organization_id',
      'status',
      'livemode',
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
async function findPaymentIntents(db: Db, donor: DonorRow) {
  const rows = forOrganization(db, donor.organization_id);
  const [donations, payments, registrations] = await Promise.all([
    rows
      .selectFrom('donation')
      .select(['processor_payment_intent_id as id', 'livemode'])
      .where('contact_id', '=', donor.id)
      .where('plan_id', 'is', null)
      .execute(),
    rows
      .selectFrom('payment_intent')
      .select(['id', 'livemode'])
      .where(isPaymentOf(donor))
      .where('plan_id', 'is', null)
      .execute(),
    rows
      .selectFrom('registration')
      // A registration does not say in which mode it was paid.
      .select(['processor_payment_intent_id as id', sql.lit(false).as('livemode')])
      .where(isRegistrationOf(donor))
      .execute(),
  ]);
  return [...donations, ...payments, ...registrations].flatMap(({ id, livemode }) =>
    id === null ? [] : { id, livemode },
  );
}
