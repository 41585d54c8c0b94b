import { requireChargesEnabled } from '../accounts.ts';
import { expireCheckout, startCheckout } from '../checkout.ts';
import type { Ledger } from '../ledger.ts';
import { amount, currency } from '../money.ts';
import { email, fields, integer, list, metadata, oneOf, required, text } from '../params.ts';
import type { Reader, readParams } from '../params.ts';
import { action, filterBy, listAndRetrieve } from '../resource-routes.ts';
import { invalidParamError } from '../stripe-error.ts';
import type { CheckoutSession } from '../stripe-types.ts';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

const url: Reader<string> = (value, name) => {
  const address = text(value, name);
  if (/^https?:$/.test(URL.parse(address)?.protocol ?? '')) return address;
  throw invalidParamError(name, 'Not a valid URL', 'url_invalid');
};

const CREATE_PARAMS = {
  mode: oneOf('payment'),
  line_items: list(
    fields({
      price_data: fields({
        currency,
        unit_amount: amount,
        product_data: fields({ name: text, description: text, metadata }),
      }),
      quantity: integer,
    }),
  ),
  payment_intent_data: fields({ description: text, metadata }),
  submit_type: oneOf('auto', 'book', 'donate', 'pay'),
  customer_email: email,
  client_reference_id: text,
  success_url: url,
  cancel_url: url,
  locale: text,
  expires_at: integer,
  metadata,
};
type CreateParams = ReturnType<typeof readParams<typeof CREATE_PARAMS>>;

/** `/v1/checkout/sessions` of the simulated Stripe API: hosted payments of one item. */
export const checkoutSessions = () =>
  listAndRetrieve('checkout.session', filterBy('payment_intent', 'status'))
    .post(
      '/',
      action(CREATE_PARAMS, ({ ledger, params }) => {
        requireChargesEnabled(ledger);
        required(params.mode, 'mode');
        const { amount_total, currency: code, productName } = readItem(params);
        const { payment_intent_data: intent = {} } = params;
        const input = {
          amount_total,
          currency: code,
          cancel_url: params.cancel_url ?? null,
          client_reference_id: params.client_reference_id ?? null,
          customer_email: params.customer_email ?? null,
          expires_at: readExpiry(ledger, params.expires_at),
          locale: (params.locale ?? null) as CheckoutSession['locale'],
          metadata: params.metadata ?? {},
          submit_type: params.submit_type ?? null,
          success_url: required(params.success_url, 'success_url'),
        };
        return startCheckout(ledger, input, { productName, intent });
      }),
    )
    .post(
      '/:id/expire',
      action({}, ({ ledger, id }) => expireCheckout(ledger, ledger.find('checkout.session', id))),
    );

function readItem({ line_items }: CreateParams) {
  const [item, ...others] = required(line_items, 'line_items');
  if (others.length)
    throw invalidParamError('line_items', 'The sandbox supports one line item per session.');
  const price = required(item?.price_data, 'line_items[0][price_data]');
  const unitAmount = required(price.unit_amount, 'line_items[0][price_data][unit_amount]');
  return {
    amount_total: unitAmount * required(item?.quantity, 'line_items[0][quantity]'),
    currency: required(price.currency, 'line_items[0][price_data][currency]'),
    productName: required(
      price.product_data?.name,
      'line_items[0][price_data][product_data][name]',
    ),
  };
}

/** A session is open for 30 minutes to 24 hours, as at Stripe. */
function readExpiry(ledger: Ledger, expiresAt = ledger.now() + DAY): number {
  const seconds = expiresAt - ledger.now();
  if (seconds >= 30 * MINUTE && seconds <= DAY) return expiresAt;
  throw invalidParamError(
    'expires_at',
    'The `expires_at` timestamp must be at least 30 minutes and at most 24 hours from Checkout Session creation.',
  );
}
