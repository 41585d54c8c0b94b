import type { ConnectConfirmEvent, ConnectSuccessEvent } from '../donation-events.ts';
import type { FormContext } from './form-context.ts';

type AmountDetail = { amountCents: number; currency: string };

/** The form that an element shows now, of those that are listened to. */
const contexts = new WeakMap<Element, FormContext>();

/**
 * Tells `window.dataLayer` of a gift in the names of Google Analytics 4. Nothing here loads an
 * analytics script, and nothing about the donor is told: an amount, a form, the payment's name.
 */
export function reportToDataLayer(
  context: FormContext,
  currencyDecimals: (currency: string) => number,
) {
  const { host } = context;
  const isListening = contexts.has(host);
  contexts.set(host, context);
  if (isListening) return;
  const push = (event: string, { amountCents, currency }: AmountDetail, more: object = {}) => {
    if (host.getAttribute('analytics') !== 'ga4') return; // A visitor may have taken it back.
    const page = window as { dataLayer?: object[] };
    // An element with the id `dataLayer` is `window.dataLayer` until something is assigned to it.
    if (!Object.hasOwn(window, 'dataLayer')) page.dataLayer = [];
    const { formSession, name } = contexts.get(host)!;
    const { organization, campaign_name, fund_name } = formSession.form;
    const value = amountCents / 10 ** currencyDecimals(currency);
    const item_name = campaign_name ?? fund_name ?? organization.name;
    const items = [{ item_id: name ?? 'default', item_name, price: value, quantity: 1 }];
    const ecommerce = { currency: currency.toUpperCase(), value, items, ...more };
    // As Google asks: without it, items of an earlier event stay.
    (page.dataLayer ??= []).push({ ecommerce: null }, { event, ecommerce });
  };
  host.addEventListener('connect-confirm', (event: ConnectConfirmEvent) =>
    // Once the page has had its say: what it stops has not begun.
    queueMicrotask(() => event.defaultPrevented || push('begin_checkout', event)),
  );
  host.addEventListener('connect-success', (event: ConnectSuccessEvent) =>
    push('purchase', event, { transaction_id: event.paymentIntentId }),
  );
}
