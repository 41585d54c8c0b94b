import type Stripe from 'stripe';
import type { WorkDeps } from '../../env.ts';
import type { Db } from '../../db/database.ts';
import { findUnwritten, syncRegistration } from '../../events/sync-registration.ts';
import { disputesOf, refundsOf } from '../../processor/after.ts';
import { inBatches } from './batches.ts';
import type { CompareOptions } from './compare.ts';
import type { Reconciled, Reporter } from './difference.ts';
import { healGift } from './heal-gift.ts';

/**
 * Refunds and disputes of gifts that are older than the list of gifts reaches, and what was returned
 * of payments for registrations.
 */
export async function compareAfter(
  deps: WorkDeps,
  organization: Reconciled,
  options: CompareOptions,
  report: Reporter,
): Promise<void> {
  const { account } = organization;
  const heal = (gift: { id: string; what: string }) =>
    healGift(deps, organization, gift, options, report);

  for await (const refunds of inBatches(deps.processor.listRefunds(account, options.from))) {
    const kept = await keptRefunds(deps.db, refunds);
    const others = await paidForRegistrations(deps.db, organization, refunds);
    for (const intent of others)
      await compareRegistration(deps, organization, intent, options, report);
    for (const [index, { id, status }] of refundsOf(refunds).entries()) {
      const intent = intentOf(refunds[index]!);
      if (!intent || kept.get(id) === status || others.has(intent)) continue;
      await heal({ id: intent, what: `the refund ${id} is ${status}, ${here(kept.get(id))}` });
    }
    report.looked(refunds.length);
  }

  for await (const disputes of inBatches(deps.processor.listDisputes(account, options.from))) {
    const kept = await keptDisputes(deps.db, disputes);
    for (const dispute of disputes) {
      const intent = intentOf(dispute);
      const [told] = disputesOf([dispute], dispute.currency);
      if (!intent || !told || kept.get(told.id) === told.status) continue;
      const what = `the dispute ${told.id} is ${told.status}, ${here(kept.get(told.id))}`;
      await heal({ id: intent, what });
    }
    report.looked(disputes.length);
  }
}

async function compareRegistration(
  deps: WorkDeps,
  { id: organizationId, account }: Reconciled,
  paymentIntentId: string,
  { heal }: CompareOptions,
  report: Reporter,
): Promise<void> {
  const payment = { organizationId, account, paymentIntentId };
  const what = await findUnwritten(deps, payment);
  if (!what) return;
  const healed = heal && (await syncRegistration(deps, payment)) === 'recorded';
  report.differs({ organizationId, id: paymentIntentId, what, healed });
}

async function paidForRegistrations(db: Db, { id }: Reconciled, refunds: readonly Stripe.Refund[]) {
  const intents = refunds.map(intentOf).filter((intent) => intent !== undefined);
  if (intents.length === 0) return new Set<string>();
  const rows = await db
    .selectFrom('registration')
    .select('processor_payment_intent_id as intent')
    .where('organization_id', '=', id)
    .where('processor_payment_intent_id', 'in', intents)
    .execute();
  return new Set(rows.flatMap(({ intent }) => intent ?? []));
}

const here = (status: string | undefined) => (status ? `recorded as ${status}` : 'not recorded');

const intentOf = ({ payment_intent: intent }: Stripe.Refund | Stripe.Dispute) =>
  typeof intent === 'string' ? intent : intent?.id;

async function keptRefunds(db: Db, refunds: readonly { id: string }[]) {
  const ids = refunds.map(({ id }) => id);
  const rows = await db
    .selectFrom('donation_refund')
    .select(['processor_refund_id as id', 'status'])
    .where('processor_refund_id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, status }) => [id, status]));
}

async function keptDisputes(db: Db, disputes: readonly { id: string }[]) {
  const ids = disputes.map(({ id }) => id);
  const rows = await db
    .selectFrom('donation_dispute')
    .select(['processor_dispute_id as id', 'status'])
    .where('processor_dispute_id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, status }) => [id, status]));
}
