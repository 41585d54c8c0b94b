import {
  DEBIT_BUSINESS_DAYS,
  fitsCurrency,
  isDebit,
  PAYMENT_METHOD_TYPES,
  type PaymentMethodType,
} from '@connect-embed/contract';
import { html } from 'hono/html';
import type { Html } from '@connect-embed/api/lib/html';
import { PAYMENT_METHOD_LABELS } from '@connect-embed/api/resources/donations/payment-method';

/** The payment methods that an organization can choose; cards are always offered. */
export const OPTIONAL_METHODS: readonly PaymentMethodType[] = PAYMENT_METHOD_TYPES.filter(
  (type) => type !== 'card',
);

/** Stripe's page on which an account turns its payment methods on. */
const STRIPE_SETTINGS = 'https://dashboard.stripe.com/settings/payment_methods';

interface PaymentMethods {
  currency: string;
  /** The owner's choice. */
  chosen: readonly string[];
  /** What Stripe has enabled for the account. */
  enabled: readonly string[];
}

/** Renders which payment methods the organization's forms offer. Only owners can change them. */
export const paymentMethodsPanel = (
  { path, isOwner }: { path: string; isOwner: boolean },
  methods: PaymentMethods,
): Html =>
  html`<section class="panel" aria-labelledby="methods">
    <h2 id="methods">Payment methods</h2>
    <p>Donors choose from these in every form that has no choice of its own.</p>
    <form method="post" action="${path}/methods">
      <fieldset ${isOwner ? '' : 'disabled'}>
        <legend class="hidden">Payment methods</legend>
        <div class="choices">
          <label class="choice">
            <input type="checkbox" checked disabled />
            <span>
              Cards and wallets
              <span class="small muted">Always offered.</span>
            </span>
          </label>
          ${OPTIONAL_METHODS.map((type) => choice(type, methods))}
        </div>
      </fieldset>
      ${
        isOwner
          ? html`<p class="buttons"><button>Save payment methods</button></p>`
          : html`<p class="muted">Only an owner can change them.</p>`
      }
    </form>
    <p class="small muted">
      A payment method must also be on at Stripe:
      <a href="${STRIPE_SETTINGS}" rel="noreferrer">Stripe’s payment methods</a>.
    </p>
  </section>`;

function choice(type: PaymentMethodType, { currency, chosen, enabled }: PaymentMethods): Html {
  const fits = fitsCurrency(type, currency);
  return html`<label class="choice">
    <input
      type="checkbox"
      name="payment_method_types"
      value="${type}"
      ${chosen.includes(type) && fits ? 'checked' : ''}
      ${fits ? '' : 'disabled'}
    />
    <span>
      ${PAYMENT_METHOD_LABELS[type]}
      <span class="small muted">
        ${fits ? hint(type) : `Not possible in ${currency.toUpperCase()}.`}
        ${fits && !enabled.includes(type) ? 'Not on at Stripe, so donors are not offered it.' : ''}
      </span>
    </span>
  </label>`;
}

const hint = (type: PaymentMethodType): string =>
  isDebit(type)
    ? `The money arrives after about ${DEBIT_BUSINESS_DAYS[type]} business days.`
    : 'For one-time donations.';
