import type { CreatePaymentIntent, Frequency } from '@connect-embed/contract';
import { STORAGE_KEY } from './pending-payment.ts';
import type { OpenIntent } from './create-payment-intent.ts';
import type { DonorInput } from './donation-draft.ts';
import type { Paid } from './payment-outcome.ts';

/** What the thank-you says. */
export type CompletedPayment = Paid & {
  at: number;
  firstName: string;
  /** Masked. */
  email: string;
  /** How often; empty for once. */
  often: Exclude<Frequency, 'one_time'> | '';
  /** What the donor chose, or the form fixes; empty where there is none. */
  fund?: string;
  /** The donation's short reference; empty where only the payment is known. */
  code?: string;
  /** The gift without what covers the fee. */
  giftCents?: number;
};

/** A gift of this tab, from the press of Give on: what a reload must not lose. */
export interface StoredAttempt {
  key: string;
  gift: CreatePaymentIntent;
  /** What the donor typed; gone as soon as the gift is made. */
  values?: DonorInput;
  /** Once the server has made it. */
  intent?: OpenIntent;
  /** Once it is paid: the thank-you stands until another gift is begun. */
  paid?: CompletedPayment;
}

/** What the tabs of one browser must know of each other: nothing of the donor. */
export interface SharedPayments {
  /** Client secrets of gifts that may be charged without our knowing. */
  open: { secret: string; at: number }[];
  /** The last gift that went through. */
  paid?: { amountCents: number; at: number };
}

/** The processor forgets an open payment sooner than this. */
const OPEN_PAYMENT_TTL_MS = 24 * 3_600_000;

/**
 * What is kept in the browser of a gift, by form: in the tab itself, and between its tabs.
 *
 * Written from the donor's first input on, never before. Where keeping is forbidden (a frame
 * without storage, a full disk) everything works as long as the page stays.
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

  /** Other tabs look here before they charge anything. */
  addOpen(secret: string) {
    const { open, ...rest } = this.shared;
    if (open.some((one) => one.secret === secret)) return;
    this.#writeShared({ ...rest, open: [...open, { secret, at: Date.now() }] });
  }

  /** The truth about it is known; `amountCents` when it is that it was paid. */
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

type StorageArea = 'sessionStorage' | 'localStorage';

export function readStored<Value>(area: StorageArea): Record<string, Value | undefined> {
  try {
    return (JSON.parse(window[area].getItem(STORAGE_KEY) ?? '{}') ?? {}) as Record<string, Value>;
  } catch {
    return {};
  }
}

/** As written, also on pages whose libraries give lists a `toJSON` of their own. */
function toJson(value: unknown): string {
  const lists = Array.prototype as { toJSON?: unknown };
  const { toJSON } = lists;
  delete lists.toJSON;
  try {
    return JSON.stringify(value);
  } finally {
    if (toJSON) lists.toJSON = toJSON;
  }
}

export function writeStored(area: StorageArea, name: string, record: unknown) {
  const all = { ...readStored(area), [name]: record };
  try {
    if (Object.values(all).some(Boolean)) window[area].setItem(STORAGE_KEY, toJson(all));
    else window[area].removeItem(STORAGE_KEY);
  } catch {
    // Forbidden or full: this page remembers for as long as it stays.
  }
}
