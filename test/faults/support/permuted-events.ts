import { randomUUID } from 'node:crypto';
import type { Donation } from '@connect-embed/contract';
import type Stripe from 'stripe';
import type { SystemUnderTest } from '../system-under-test.ts';
import { ACCOUNT } from './initial-data.ts';

/** The compared final state of a donation. */
export type DonationState = Pick<
  Donation,
  'amount_cents' | 'net_amount_cents' | 'refund_status' | 'refunded_amount_cents' | 'dispute_status'
>;

const ON_ACCOUNT = { stripeAccount: ACCOUNT };
const REPEATED_SHARE = 0.3;
/** Probability that some events are delivered before the next operation. */
const EARLY_DELIVERY_SHARE = 0.6;
const SECRET = 'whsec_sandbox';

/**
 * A donation, two partial refunds, and a lost dispute. The operations are always the same, but
 * their Stripe events reach the API in random order: some before the next operation, some twice.
 */
export class PermutedEvents {
  readonly #system: SystemUnderTest;
  readonly #email = `${randomUUID()}@faults.example`;
  readonly #knownIds = new Set<string>();
  #pending: Stripe.Event[] = [];
  readonly #inFlight: Promise<void>[] = [];
  /** Number of deliveries, repetitions included. */
  deliveredCount = 0;

  constructor(system: SystemUnderTest) {
    this.#system = system;
  }

  async run(): Promise<void> {
    const { processor } = this.#system;
    const intent = await this.#pay();
    const charge = intent.latest_charge as string;
    await this.#deliverSome(intent.id);
    await processor.refunds.create({ charge, amount: 1000 }, ON_ACCOUNT);
    await this.#deliverSome(intent.id);
    await processor.refunds.create({ charge, amount: 500 }, ON_ACCOUNT);
    await this.#deliverSome(intent.id);
    const account = ACCOUNT;
    await this.#system.control('POST', '/disputes', { account, charge });
    await this.#deliverSome(intent.id);
    const { data } = await processor.disputes.list({ charge }, ON_ACCOUNT);
    const dispute = data[0]!.id;
    await this.#system.control('POST', '/disputes/close', { account, dispute, outcome: 'lost' });
    await this.#fetchEvents(intent.id);
    await this.#deliver(this.#pending);
    await Promise.all(this.#inFlight);
  }

  #pay(): Promise<Stripe.PaymentIntent> {
    const { initialData, processor } = this.#system;
    const metadata = { organization_id: initialData.organizationId, donor_email: this.#email };
    return processor.paymentIntents.create(
      {
        amount: 5000,
        currency: 'usd',
        payment_method: 'pm_card_visa',
        confirm: true,
        metadata,
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      },
      ON_ACCOUNT,
    );
  }

  /** Sometimes delivers events, without waiting, so that they overlap the next operation. */
  async #deliverSome(intentId: string): Promise<void> {
    await this.#fetchEvents(intentId);
    if (this.#system.random.next() > EARLY_DELIVERY_SHARE) return;
    const count = this.#system.random.integer(1, this.#pending.length);
    const selected = this.#shuffle(this.#pending).slice(0, count);
    this.#pending = this.#pending.filter((event) => !selected.includes(event));
    this.#inFlight.push(this.#deliver(selected));
  }

  async #deliver(events: readonly Stripe.Event[]): Promise<void> {
    const { random } = this.#system;
    const twice = events.filter(() => random.next() < REPEATED_SHARE);
    for (const event of this.#shuffle([...events, ...twice])) {
      await this.#send(event);
      this.deliveredCount += 1;
    }
  }

  #shuffle(events: readonly Stripe.Event[]): Stripe.Event[] {
    const rest = [...events];
    const { random } = this.#system;
    return events.map(() => rest.splice(random.integer(0, rest.length - 1), 1)[0]!);
  }

  /** Fetches the new events of this donation from the processor. */
  async #fetchEvents(intentId: string): Promise<void> {
    const { data } = await this.#system.processor.events.list({ limit: 100 }, ON_ACCOUNT);
    const newEvents = data.filter(({ id, data: { object } }) => {
      return !this.#knownIds.has(id) && JSON.stringify(object).includes(intentId);
    });
    for (const { id } of newEvents) this.#knownIds.add(id);
    this.#pending.push(...newEvents);
  }

  /** Delivers an event like Stripe: signed, and with retries. */
  async #send(event: Stripe.Event): Promise<void> {
    const { processor, addresses } = this.#system;
    const payload = JSON.stringify({ ...event, account: ACCOUNT });
    for (let attempt = 1; ; attempt += 1) {
      const signature = await processor.webhooks.generateTestHeaderStringAsync({
        payload,
        secret: SECRET,
      });
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
      const init = { method: 'POST', headers, body: payload };
      const response = await fetch(`${addresses.api}/processor-events`, init);
      const text = await response.text();
      if (response.ok) return;
      if (attempt === 5) throw new Error(`${event.type}: ${response.status} ${text}`);
    }
  }
}
