import type { CreatePaymentIntent, PaymentIntent } from '@connect-embed/contract';
import { readStored, writeStored } from './browser-storage.ts';
import type { DonorInput } from './donation-draft.ts';
import type { CompletedPayment } from './payment-outcome.ts';

/** A donation of this tab, stored from the press of Give, so that it survives a reload. */
export interface StoredAttempt {
  key: string;
  donation: CreatePaymentIntent;
  /** The donor's input; deleted when the donation is complete. */
  values?: DonorInput;
  /** The payment methods that the form offered; undefined from an older API. */
  methods?: readonly string[] | undefined;
  /** The payment intent, once the server has created it. */
  intent?: PaymentIntent;
  /** Set after payment, for the thank-you page. */
  paid?: CompletedPayment;
  /** When the thank-you page was first shown, in milliseconds; undefined in records of an older version. */
  thankedAt?: number;
}

/** State shared by all tabs of a browser. It contains no data about the donor. */
interface SharedPayments {
  /**
   * Client secrets of payment intents that may have been charged without a known outcome. `at` is
   * in milliseconds.
   */
  open: { secret: string; at: number }[];
  /** The latest successful payment. */
  paid?: { amountCents: number; at: number };
}

/** Entries are dropped after this time, when the payment can no longer be in progress. */
const OPEN_PAYMENT_TTL_MS = 24 * 3_600_000;

/**
 * Stores donations in the browser, by form: one record per tab (`sessionStorage`), and one shared
 * by all tabs (`localStorage`).
 *
 * Nothing is stored before the donor's first input. Without storage (in a sandboxed frame, or with
 * a full disk) the form works, but does not survive a reload.
 */
export class PaymentStorage {
  readonly #storageName: string;

  constructor(server: string, form: string | null) {
    this.#storageName = `${server} ${form ?? ''}`;
  }

  get ownAttempt(): StoredAttempt | undefined {
    return readStored<StoredAttempt>('sessionStorage')[this.#storageName];
  }

  set ownAttempt(record: StoredAttempt | undefined) {
    writeStored('sessionStorage', this.#storageName, record);
  }

  get shared(): SharedPayments {
    const { open = [], paid } = readStored<SharedPayments>('localStorage')[this.#storageName] ?? {};
    const since = Date.now() - OPEN_PAYMENT_TTL_MS;
    return { open: open.filter(({ at }) => at > since), ...(paid && { paid }) };
  }

  /** Adds a payment intent whose outcome is not yet known. Other tabs check it before they charge. */
  addOpen(secret: string) {
    const { open, ...rest } = this.shared;
    if (open.some((one) => one.secret === secret)) return;
    this.#writeShared({ ...rest, open: [...open, { secret, at: Date.now() }] });
  }

  /**
   * Removes a payment intent whose outcome is now known.
   *
   * @param amountCents the amount in minor units, if it was paid
   */
  removeOpen(secret: string, amountCents?: number) {
    const { open, paid } = this.shared;
    const now = amountCents ? { amountCents, at: Date.now() } : paid;
    this.#writeShared({
      open: open.filter((one) => one.secret !== secret),
      ...(now && { paid: now }),
    });
  }

  #writeShared(record: SharedPayments) {
    const empty = !record.open.length && !record.paid;
    writeStored('localStorage', this.#storageName, empty ? undefined : record);
  }
}
