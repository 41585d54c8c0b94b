import { ConnectError } from '@connect-embed/contract';
import type { PaymentSnapshot } from '../src/payments/stripe/payments.ts';
import type { Processor } from '../src/payments/stripe/processor.ts';
import type { IntentRequest } from '../src/payments/stripe/intents.ts';
import type { PayableOrganization } from '../src/http/credential-organization.ts';
import type { CrashPoints } from './crash-points.ts';
import { cardPayment } from './payment-snapshot.ts';

interface LedgerIntent extends PaymentSnapshot {
  idempotencyKey: string;
  isPaid: boolean;
}

/** An event as Stripe's list of events contains it. */
type LedgerEvent = Awaited<ReturnType<Processor['listEvents']>>[number];

/**
 * A processor in memory, which has its own ledger of payment intents and events. Every call to it is an
 * operation at which the calling process may crash.
 */
export class ProcessorLedger {
  readonly intents = new Map<string, LedgerIntent>();
  readonly events: LedgerEvent[] = [];
  readonly #crashPoints: CrashPoints;
  readonly #account: string;
  #nextId = 0;

  constructor(crashPoints: CrashPoints, account: string) {
    this.#crashPoints = crashPoints;
    this.#account = account;
  }

  /** Replaces the methods of the processor client that a one-time donation uses. */
  install(processor: Processor): void {
    const find = async (id: string) =>
      await this.#crashPoints.operation(async () => {
        const intent = this.intents.get(id);
        return intent?.isPaid ? structuredClone(intent) : undefined;
      });
    Object.assign(processor, {
      retrieveAccount: (id: string) =>
        this.#crashPoints.operation(async () => ({
          id,
          chargesEnabled: true,
          payoutsEnabled: true,
          detailsSubmitted: true,
          disabledReason: null,
          requirementsDue: [],
        })),
      createPaymentIntent: (organization: PayableOrganization, request: IntentRequest) =>
        this.#crashPoints.operation(async () => this.#create(organization, request)),
      findSucceededPayment: find,
      retrieveSucceededPayment: async (id: string) => {
        const payment = await find(id);
        if (!payment) throw new ConnectError('unavailable', `${id} is not paid.`);
        return payment;
      },
      listEvents: () => this.#crashPoints.operation(async () => [...this.events]),
    } satisfies Partial<Processor>);
  }

  /** Declines the first card of a payment intent, as its event reports. */
  decline(id: string): void {
    this.#addEvent('payment_intent.payment_failed', id);
  }

  pay(id: string): void {
    this.intents.get(id)!.isPaid = true;
    this.#addEvent('payment_intent.succeeded', id);
  }

  #create(organization: PayableOrganization, request: IntentRequest) {
    const { idempotencyKey, amount_cents: amountCents, reference, source, source_id } = request;
    const existing = [...this.intents.values()].find(
      (intent) => intent.idempotencyKey === idempotencyKey,
    );
    const intent: LedgerIntent = existing ?? {
      idempotencyKey,
      isPaid: false,
      ...cardPayment({
        paymentIntentId: `pi_${(this.#nextId += 1)}`,
        amountCents,
        currency: organization.currency,
        metadata: { organization_id: organization.id, reference, source, source_id },
      }),
    };
    this.intents.set(intent.paymentIntentId, intent);
    return {
      object: 'payment_intent' as const,
      payment_intent_id: intent.paymentIntentId,
      client_secret: `${intent.paymentIntentId}_secret`,
      publishable_key: 'pk_test_ledger',
      stripe_account_id: this.#account,
      reference,
    };
  }

  #addEvent(type: LedgerEvent['type'], id: string): void {
    const { amountCents, currency, metadata } = this.intents.get(id)!;
    this.events.push({
      id: `evt_${(this.#nextId += 1)}`,
      object: 'event',
      type,
      account: this.#account,
      livemode: false,
      created: Math.floor(Date.now() / 1000),
      data: { object: { id, metadata, amount: amountCents, currency } },
    } as unknown as LedgerEvent);
  }
}
