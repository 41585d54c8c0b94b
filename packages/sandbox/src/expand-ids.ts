import type { Ledger } from './ledger.ts';
import { invalidParamError } from './stripe-error.ts';
import type { Kind, PaymentIntent } from './stripe-types.ts';

const KIND_BY_PREFIX: Record<string, Kind> = {
  pi: 'payment_intent',
  ch: 'charge',
  py: 'charge',
  mandate: 'mandate',
  txn: 'balance_transaction',
  pm: 'payment_method',
  re: 'refund',
  cus: 'customer',
  prod: 'product',
  price: 'price',
  sub: 'subscription',
  in: 'invoice',
  inpay: 'invoice_payment',
  seti: 'setup_intent',
  po: 'payout',
  du: 'dispute',
  acct: 'account',
};

type Fields = Record<string, unknown>;

/** Fields that Stripe returns only if `expand` names them, such as `invoice.payments`. */
const EXPANDABLE_ON_REQUEST: Record<
  string,
  Record<string, (ledger: Ledger, object: Fields) => unknown>
> = {
  invoice: {
    confirmation_secret: (ledger, { id }) => {
      const { client_secret } = invoiceIntent(ledger, String(id)) ?? {};
      return client_secret ? { client_secret, type: 'payment_intent' } : null;
    },
    payments: (ledger, { id: invoice }) => ({
      object: 'list',
      data: ledger.listAll('invoice_payment', { fields: { invoice: String(invoice) } }),
      has_more: false,
      url: '/v1/invoice_payments',
    }),
  },
};

/** The payment intent of an invoice; undefined for a draft. */
function invoiceIntent(ledger: Ledger, invoice: string): PaymentIntent | undefined {
  const [payment] = ledger.listAll('invoice_payment', { fields: { invoice } });
  const id = payment?.payment.payment_intent;
  return id ? ledger.find('payment_intent', String(id)) : undefined;
}

/** Fields that may be expanded although an object may lack them. */
const OPTIONAL = new Set(['refund.failure_balance_transaction']);

/** Stripe expands four levels at most. */
const MAX_DEPTH = 4;

/**
 * Implements Stripe's parameter `expand`: replaces ids by their objects, such as
 * `latest_charge.balance_transaction`.
 *
 * The object is changed in place, because each response loads its own copy.
 *
 * @throws {StripeError} 400 for a field without an id
 */
export function expand<T extends object>(
  ledger: Ledger,
  object: T,
  paths: readonly string[] = [],
): T {
  for (const path of paths) {
    const steps = path.split('.');
    if (steps.length > MAX_DEPTH) throw notExpandableError(path);
    expandStep(ledger, object as Fields, steps, path);
  }
  return object;
}

function expandStep(ledger: Ledger, object: Fields, steps: string[], path: string) {
  const [name, ...rest] = steps;
  if (name === undefined) return;
  const more = EXPANDABLE_ON_REQUEST[String(object['object'])]?.[name];
  if (more) object[name] ??= more(ledger, object);
  if (!Object.hasOwn(object, name)) {
    if (OPTIONAL.has(`${String(object['object'])}.${name}`)) return;
    throw notExpandableError(path);
  }
  const value = object[name];
  if (typeof value === 'string')
    object[name] = resolveId(ledger, name, value) ?? throwNotExpandable(path);
  else if (value !== null && typeof value !== 'object') throwNotExpandable(path);
  for (const inner of Array.isArray(object[name]) ? object[name] : [object[name]]) {
    if (inner && typeof inner === 'object') expandStep(ledger, inner as Fields, rest, path);
  }
}

/** Returns the object of an id; undefined if the text is not an id. */
function resolveId(ledger: Ledger, field: string, id: string) {
  if (field === 'product') return ledger.find('product', id); // Products may have custom ids.
  const kind = field === 'id' ? undefined : KIND_BY_PREFIX[/^([a-z]+)_\w+$/.exec(id)?.[1] ?? ''];
  return kind && !id.includes('_secret_') ? ledger.find(kind, id) : undefined;
}

const throwNotExpandable = (path: string): never => {
  throw notExpandableError(path);
};

const notExpandableError = (path: string) =>
  invalidParamError('expand', `This property cannot be expanded (${path}).`);

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

/** The fields of an intent that a browser may see: no metadata and no charge. */
export const publicIntentView = (intent: PaymentIntent) =>
  Object.fromEntries(PUBLIC_FIELDS.map((field) => [field, intent[field]]));
