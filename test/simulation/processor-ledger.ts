import { isDeepStrictEqual } from 'node:util';
import { ConnectError } from '@connect-embed/contract';
import type { PaymentState } from '@connect-embed/api/payments/stripe/payment-state';
import type { PaymentSnapshot } from '@connect-embed/api/payments/stripe/payments';
import type { Processor } from '@connect-embed/api/payments/stripe/processor';
import { donationMetadata, type IntentRequest } from '@connect-embed/api/payments/stripe/intents';
import type { PayableOrganization } from '@connect-embed/api/http/credential-organization';
import { cardPayment } from '@connect-embed/api/test-support/donations/payment-snapshot';

type LedgerIntent = Omit<PaymentSnapshot, 'paymentMethod'> &
  PaymentState & { requestKey: string; account: string };

/** An event as Stripe's list of events contains it. */
type LedgerEvent = Awaited<ReturnType<Processor['listEvents']>>[number];

/** Makes a call to the processor, at which the calling process may crash. */
type Operation = <Result>(call: () => Promise<Result>, name: string) => Promise<Result>;

/** A processor in memory, which has its own ledger of payment intents and events. */
export class ProcessorLedger {
  readonly intents = new Map<string, LedgerIntent>();
  readonly events: LedgerEvent[] = [];
  readonly #idPrefix: string;
  readonly #now: () => number;
  readonly #keepsIdempotencyKeys: boolean;
  #nextId = 0;

  /**
   * @param options.idPrefix a part of all ids, which tells those of several ledgers apart
   * @param options.now the processor's clock
   * @param options.keepsIdempotencyKeys false to create a payment intent for each request, as if its key
   *   were new
   */
  constructor({ idPrefix = '', now = Date.now, keepsIdempotencyKeys = true } = {}) {
    this.#idPrefix = idPrefix;
    this.#now = now;
    this.#keepsIdempotencyKeys = keepsIdempotencyKeys;
  }

  /** Replaces the methods of a process's processor client that a one-time donation uses. */
  install(processor: Processor, operation: Operation): void {
    const find = (id: string) =>
      operation(async () => {
        const intent = this.intents.get(id);
        return intent?.status === 'succeeded' ? structuredClone(intent) : undefined;
      }, 'retrieve a payment');
    Object.assign(processor, {
      retrieveAccount: (id: string) =>
        operation(
          async () => ({
            id,
            chargesEnabled: true,
            payoutsEnabled: true,
            detailsSubmitted: true,
            disabledReason: null,
            requirementsDue: [],
            paymentMethodTypes: ['card'],
          }),
          'retrieve an account',
        ),
      createPaymentIntent: (organization: PayableOrganization, request: IntentRequest) =>
        operation(async () => this.#create(organization, request), 'create a payment intent'),
      findSucceededPayment: find,
      retrievePaymentState: (id: string) =>
        operation(
          async () => structuredClone(this.intents.get(id)!),
          'retrieve the state of a payment',
        ),
      retrieveSucceededPayment: async (id: string) => {
        const payment = await find(id);
        if (!payment) throw new ConnectError('unavailable', `${id} is not paid.`);
        return payment;
      },
      listEvents: (account: string, _types: readonly string[], from: Date) =>
        operation(
          async () =>
            this.events.filter(
              (event) => event.account === account && event.created * 1000 >= from.getTime(),
            ),
          'list events',
        ),
    } satisfies Partial<Processor>);
  }

  /** Declines the first card of a payment intent, as its event reports. */
  decline(id: string): void {
    this.#attempt(id, 'card');
    this.#fail(id, 'card_declined');
  }

  /** Confirms a bank debit, which is on its way until it is paid or returned. */
  debit(id: string): void {
    this.#attempt(id, 'sepa_debit').status = 'processing';
    this.#addEvent('payment_intent.processing', id);
  }

  returnDebit(id: string): void {
    this.#fail(id, 'insufficient_funds');
  }

  /** Pays with a card, unless a bank debit is on its way, whose money arrives. */
  pay(id: string): void {
    const intent = this.intents.get(id)!;
    if (intent.status !== 'processing') this.#attempt(id, 'card');
    intent.status = 'succeeded';
    this.#addEvent('payment_intent.succeeded', id);
  }

  /** Each attempt has a charge of its own. */
  #attempt(id: string, paymentMethod: string): LedgerIntent {
    return Object.assign(this.intents.get(id)!, {
      paymentMethod,
      chargeId: `ch_${this.#newSuffix()}`,
      confirmedAt: new Date(this.#nowSeconds() * 1000),
    });
  }

  #fail(id: string, code: string): void {
    const intent = this.intents.get(id)!;
    intent.status = 'failed';
    const { chargeId: charge, paymentMethod: type } = intent;
    const last_payment_error = { charge, code, message: code, payment_method: { type } };
    this.#addEvent('payment_intent.payment_failed', id, { last_payment_error });
  }

  /** The processor's times are whole seconds. */
  readonly #nowSeconds = () => Math.floor(this.#now() / 1000);

  readonly #newSuffix = () => `${this.#idPrefix}${(this.#nextId += 1)}`;

  #create(organization: PayableOrganization, request: IntentRequest) {
    const { requestKey, amount_cents: amountCents, reference } = request;
    const metadata = donationMetadata(organization, request);
    const existing = [...this.intents.values()].find(
      (intent) => this.#keepsIdempotencyKeys && intent.requestKey === requestKey,
    );
    if (
      existing &&
      !isDeepStrictEqual([existing.amountCents, existing.metadata], [amountCents, metadata])
    ) {
      const message = 'Idempotency-Key was already used for another donation.';
      throw new ConnectError('conflict', message, { code: 'idempotency_key_reused' });
    }
    const intent: LedgerIntent = existing ?? {
      requestKey,
      account: organization.processorAccountId,
      ...{ status: 'open', chargeId: null, confirmedAt: new Date(this.#nowSeconds() * 1000) },
      failure: { code: null, message: null },
      ...cardPayment({
        paymentIntentId: `pi_${this.#newSuffix()}`,
        amountCents,
        currency: organization.currency,
        metadata,
      }),
    };
    this.intents.set(intent.paymentIntentId, intent);
    return {
      livemode: intent.livemode,
      intent: {
        object: 'payment_intent' as const,
        payment_intent_id: intent.paymentIntentId,
        client_secret: `${intent.paymentIntentId}_secret`,
        publishable_key: 'pk_test_ledger',
        stripe_account_id: intent.account,
        reference,
      },
    };
  }

  #addEvent(type: LedgerEvent['type'], id: string, fields: object = {}): void {
    const { account, amountCents, currency, metadata } = this.intents.get(id)!;
    this.events.push({
      id: `evt_${this.#newSuffix()}`,
      object: 'event',
      type,
      account,
      livemode: false,
      created: this.#nowSeconds(),
      data: { object: { id, metadata, amount: amountCents, currency, ...fields } },
    } as unknown as LedgerEvent);
  }
}
