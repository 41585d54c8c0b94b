import { sql, type Selectable } from 'kysely';
import { forOrganization } from '../db/organization-scope.ts';
import type { Database, Db, Tx } from '../db/schema.ts';
import { isHandledSql } from './stripe-events/handled-events.ts';

type IntentRow = Selectable<Database['payment_intent']>;
type DonationRow = Selectable<Database['donation']>;
type RegistrationRow = Selectable<Database['registration']>;

/** What is stored about a payment at Stripe. Loaded once per operation and passed on. */
export interface PaymentContext {
  organizationId: string;
  /** Id of the organization's Stripe account. */
  account: string;
  paymentIntentId: string;
  /**
   * The payment intent as it was created here, possibly for another organization. Null if it was
   * created elsewhere, or if a crash happened before it was saved.
   */
  intent: IntentState | null;
  /** The donation, if the payment is recorded. `sync` locks it when it writes. */
  donation: DonationState | null;
  /** The registration for an event that was paid with it. */
  registration: RegistrationState | null;
  /** Whether the Stripe event for which the context was loaded has been handled. */
  isEventHandled: boolean;
}

/**
 * Columns of the rows that are loaded as JSON. Other time columns are left out, because JSON contains them
 * as text.
 */
type IntentState = Pick<
  IntentRow,
  | 'organization_id'
  | 'status'
  | 'payment_method'
  | 'donor_name'
  | 'donor_email'
  | 'locale'
  | 'amount_cents'
  | 'currency'
  | 'plan_id'
  | 'is_renewal'
  | 'fund_id'
  | 'campaign_id'
  | 'form_id'
  | 'form_name'
  | 'source'
  | 'source_id'
  | 'reference'
> & {
  /** As text, because JSON has no times. */
  status_at: string | null;
};
export const DONATION_STATE = [
  'id',
  'organization_id',
  'reference',
  'amount_cents',
  'currency',
  'livemode',
  'fee_cents',
  'dispute_fee_cents',
  'settlement_currency',
  'settlement_amount_cents',
  'settlement_fee_cents',
  'settlement_net_cents',
  'exchange_rate',
  'refunded_amount_cents',
  'refund_status',
  'disputed_amount_cents',
  'remaining_amount_cents',
  'dispute_status',
  'payment_method',
  'card_brand',
] as const satisfies (keyof DonationRow)[];
export type DonationState = Pick<DonationRow, (typeof DONATION_STATE)[number]>;
type RegistrationState = Pick<
  RegistrationRow,
  'id' | 'event_id' | 'amount_paid_cents' | 'refunded_cents'
>;

/**
 * Loads what is stored about a payment of a Stripe account, in one statement.
 *
 * @param eventId the Stripe event that reports the payment, if any
 * @returns undefined if no organization has this account
 */
export async function loadPaymentContext(
  db: Db,
  account: string | undefined,
  paymentIntentId: string,
  eventId?: string,
): Promise<PaymentContext | undefined> {
  if (!account) return undefined;
  const row = await db
    .selectFrom('organization')
    .leftJoin('payment_intent', (join) => join.on('payment_intent.id', '=', paymentIntentId))
    .leftJoin('donation', (join) =>
      join
        .on('donation.processor_payment_intent_id', '=', paymentIntentId)
        .onRef('donation.organization_id', '=', 'organization.id'),
    )
    .leftJoin('registration', (join) =>
      join
        .on('registration.processor_payment_intent_id', '=', paymentIntentId)
        .onRef('registration.organization_id', '=', 'organization.id'),
    )
    .select([
      'organization.id as organizationId',
      sql<IntentState | null>`to_jsonb(payment_intent)`.as('intent'),
      sql<DonationState | null>`to_jsonb(donation)`.as('donation'),
      sql<RegistrationState | null>`to_jsonb(registration)`.as('registration'),
      isHandledSql('organization.id', eventId).as('isEventHandled'),
    ])
    .where('organization.processor_account_id', '=', account)
    .executeTakeFirst();
  return row && { ...row, account, paymentIntentId };
}

/**
 * Locks a donation and loads its payment, in one statement. `account` and `paymentIntentId` are null
 * if it was not paid through this service.
 *
 * @returns undefined if the organization has no such donation
 */
export async function lockPaymentContext(tx: Tx, organizationId: string, donationId: string) {
  const row = await forOrganization(tx, organizationId)
    .selectFrom('donation')
    .innerJoin('organization', 'organization.id', 'donation.organization_id')
    .leftJoin('payment_intent', 'payment_intent.id', 'donation.processor_payment_intent_id')
    .select([
      'organization.processor_account_id as account',
      'donation.processor_payment_intent_id as paymentIntentId',
      sql<IntentState | null>`to_jsonb(payment_intent)`.as('intent'),
      sql<DonationState>`to_jsonb(donation)`.as('donation'),
    ])
    .where('donation.id', '=', donationId)
    .forUpdate('donation')
    .executeTakeFirst();
  return row && { ...row, organizationId, registration: null, isEventHandled: false };
}

/**
 * The payment intent, if it was created here for the organization of the account.
 *
 * Does not rely on the metadata at Stripe: others may edit it, and the first payment of a
 * subscription has none.
 */
export const ownIntent = ({ intent, organizationId }: PaymentContext): IntentState | null =>
  intent?.organization_id === organizationId ? intent : null;

/** Whether the metadata of a payment intent at Stripe names the organization of its account. */
export const isClaimed = (
  { organizationId }: PaymentContext,
  { metadata }: { metadata: Record<string, string> },
): boolean => metadata['organization_id'] === organizationId;

/**
 * Whether a payment is a donation of this service: it is recorded, was created here as a one-time
 * donation, or names the organization of its account in its metadata. Stripe accounts also take
 * payments from other systems.
 *
 * The first payments of subscriptions are excluded: they are matched by their invoices.
 */
export const isOwnPayment = (
  context: PaymentContext,
  payment: { metadata: Record<string, string> },
): boolean =>
  isClaimed(context, payment) || context.donation !== null || ownIntent(context)?.plan_id === null;

/** Describes a different amount or currency in a sentence. Undefined if both are the same. */
export function describeMismatch(
  intent: Pick<IntentRow, 'amount_cents' | 'currency'>,
  paid: { amountCents: number; currency: string },
): string | undefined {
  if (intent.amount_cents === paid.amountCents && intent.currency === paid.currency)
    return undefined;
  return `the payment intent is for ${intent.amount_cents} ${intent.currency}, ${paid.amountCents} ${paid.currency} was paid`;
}
