import type Stripe from 'stripe';
import { forOrganization } from '../../db/organization-scope.ts';
import type { WorkerDeps } from '../deps.ts';
import type { Db } from '../../db/schema.ts';
import { describeUnrecordedRefund, syncRegistration } from '../registrations/sync-registration.ts';
import { loadPaymentContext } from '../payment-context.ts';
import { mapDisputes, mapRefunds } from '../stripe/map-refunds-disputes.ts';
import {
  type CompareOptions,
  type ReconciledAccount,
  type Reporter,
  repairDonation,
} from './difference.ts';

/**
 * Compares refunds and disputes with Stripe's lists. This finds those of donations that are older
 * than the compared payment intents, and refunds of paid event registrations.
 */
export async function compareRefundsAndDisputes(
  deps: WorkerDeps,
  organization: ReconciledAccount,
  options: CompareOptions,
  report: Reporter,
): Promise<void> {
  const { account } = organization;
  const repair = (payment: { id: string; description: string }) =>
    repairDonation(deps, organization, payment, options, report);

  for await (const refunds of deps.processor.listRefunds(account, options.from)) {
    const storedStatuses = await loadRefundStatuses(deps.db, organization.id, refunds);
    const registrationIntents = await findRegistrationIntents(deps.db, organization, refunds);
    for (const intent of registrationIntents)
      await compareRegistration(deps, organization, intent, options, report);
    for (const [index, { id, status }] of mapRefunds(refunds).entries()) {
      const intent = intentOf(refunds[index]!);
      if (!intent || storedStatuses.get(id) === status || registrationIntents.has(intent)) continue;
      await repair({
        id: intent,
        description: `the refund ${id} is ${status}, ${describeStored(storedStatuses.get(id))}`,
      });
    }
    report.onChecked(refunds.length);
  }

  for await (const disputes of deps.processor.listDisputes(account, options.from)) {
    const storedStatuses = await loadDisputeStatuses(deps.db, organization.id, disputes);
    for (const dispute of disputes) {
      const intent = intentOf(dispute);
      const [mapped] = mapDisputes([dispute], dispute.currency);
      if (!intent || !mapped || storedStatuses.get(mapped.id) === mapped.status) continue;
      const description = `the dispute ${mapped.id} is ${mapped.status}, ${describeStored(storedStatuses.get(mapped.id))}`;
      await repair({ id: intent, description });
    }
    report.onChecked(disputes.length);
  }
}

async function compareRegistration(
  deps: WorkerDeps,
  { id: organizationId, account }: ReconciledAccount,
  paymentIntentId: string,
  { repair }: CompareOptions,
  report: Reporter,
): Promise<void> {
  const context = await loadPaymentContext(deps.db, account, paymentIntentId);
  const description = context && (await describeUnrecordedRefund(deps, context));
  if (!description) return;
  const isRepaired = repair && (await syncRegistration(deps, context)) === 'recorded';
  report.onDifference({ organizationId, id: paymentIntentId, description, isRepaired });
}

async function findRegistrationIntents(
  db: Db,
  { id }: ReconciledAccount,
  refunds: readonly Stripe.Refund[],
) {
  const intents = refunds.map(intentOf).filter((intent) => intent !== undefined);
  if (intents.length === 0) return new Set<string>();
  const rows = await forOrganization(db, id)
    .selectFrom('registration')
    .select('processor_payment_intent_id as intent')
    .where('processor_payment_intent_id', 'in', intents)
    .execute();
  return new Set(rows.flatMap(({ intent }) => intent ?? []));
}

const describeStored = (status: string | undefined) =>
  status ? `recorded as ${status}` : 'not recorded';

const intentOf = ({ payment_intent: intent }: Stripe.Refund | Stripe.Dispute) =>
  typeof intent === 'string' ? intent : intent?.id;

async function loadRefundStatuses(
  db: Db,
  organizationId: string,
  refunds: readonly { id: string }[],
) {
  const ids = refunds.map(({ id }) => id);
  const rows = await forOrganization(db, organizationId)
    .selectFrom('refund')
    .select(['processor_refund_id as id', 'status'])
    .where('processor_refund_id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, status }) => [id, status]));
}

async function loadDisputeStatuses(
  db: Db,
  organizationId: string,
  disputes: readonly { id: string }[],
) {
  const ids = disputes.map(({ id }) => id);
  const rows = await forOrganization(db, organizationId)
    .selectFrom('donation_dispute')
    .select(['processor_dispute_id as id', 'status'])
    .where('processor_dispute_id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, status }) => [id, status]));
}
