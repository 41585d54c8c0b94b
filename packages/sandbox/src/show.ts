import type { Books, Kind } from './books.ts';
import { invalidParam } from './stripe-error.ts';
import type { PaymentIntent } from './wire.ts';

/** Which fields hold an id that `expand` may replace, and with what. */
const EXPANDABLE: Record<string, Kind> = {
  latest_charge: 'charge',
  balance_transaction: 'balance_transaction',
  payment_method: 'payment_method',
  payment_intent: 'payment_intent',
  source: 'charge',
};

/** Stripe expands four levels at most. */
const MAX_DEPTH = 4;

/**
 * Replaces ids by what they name: `latest_charge.balance_transaction`.
 *
 * @throws {StripeError} 400 for a field that holds no id
 */
export function expand<T extends object>(
  books: Books,
  object: T,
  paths: readonly string[] = [],
): T {
  const shown = structuredClone(object);
  for (const path of paths) {
    const steps = path.split('.');
    if (steps.length > MAX_DEPTH) throw notExpandable(path);
    step(books, shown as Record<string, unknown>, steps, path);
  }
  return shown;
}

function step(books: Books, object: Record<string, unknown>, steps: string[], path: string) {
  const [name, ...rest] = steps;
  if (name === undefined) return;
  if (name === 'data' && Array.isArray(object['data'])) {
    for (const each of object['data'] as Record<string, unknown>[]) step(books, each, rest, path);
    return;
  }
  const kind = Object.hasOwn(EXPANDABLE, name) ? EXPANDABLE[name] : undefined;
  if (!kind || !(name in object)) throw notExpandable(path);
  if (typeof object[name] === 'string') object[name] = books.find(kind, object[name]);
  const inner = object[name];
  if (inner && typeof inner === 'object') step(books, inner as Record<string, unknown>, rest, path);
}

const notExpandable = (path: string) =>
  invalidParam('expand', `This property cannot be expanded (${path}).`);

const PUBLIC_FIELDS = [
  'id',
  'object',
  'amount',
  'amount_details',
  'automatic_payment_methods',
  'canceled_at',
  'cancellation_reason',
  'capture_method',
  'client_secret',
  'confirmation_method',
  'created',
  'currency',
  'description',
  'last_payment_error',
  'livemode',
  'next_action',
  'payment_method',
  'payment_method_types',
  'processing',
  'receipt_email',
  'setup_future_usage',
  'shipping',
  'source',
  'status',
] as const satisfies readonly (keyof PaymentIntent)[];

/** What a browser may see of an intent: no metadata, no charge. */
export const publicView = (intent: PaymentIntent) =>
  Object.fromEntries(PUBLIC_FIELDS.map((field) => [field, intent[field]]));
