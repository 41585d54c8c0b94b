import type { ConnectConfirmEvent, ConnectSuccessEvent } from '../donation-events.ts';
import type { FormContext } from './form-context.ts';

type AmountDetail = { amountCents: number; currency: string };

/** The current form of each element that has listeners. An element may open another form later. */
const contexts = new WeakMap<Element, FormContext>();

/**
 * Pushes Google Analytics 4 events to `window.dataLayer` when a donation starts and when it
 * succeeds. It loads no analytics script and sends no data about the donor: only amount, form and
 * payment id.
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
    // The page may have changed the property, for example when consent is withdrawn.
    if (host.analytics !== 'ga4') return;
    const page = window as { dataLayer?: object[] };
    // An element with the id `dataLayer` is `window.dataLayer` until something is assigned to it.
    if (!Object.hasOwn(window, 'dataLayer')) page.dataLayer = [];
    const { draft, name } = contexts.get(host)!;
    const { organization, campaign_name, fund_name } = draft.form;
    const value = amountCents / 10 ** currencyDecimals(currency);
    const item_name = campaign_name ?? fund_name ?? organization.name;
    const items = [{ item_id: name ?? 'default', item_name, price: value, quantity: 1 }];
    const ecommerce = { currency: currency.toUpperCase(), value, items, ...more };
    // Clears the previous `ecommerce` object, as Google's documentation requires: otherwise its items
    // are merged.
    (page.dataLayer ??= []).push({ ecommerce: null }, { event, ecommerce });
  };
  host.addEventListener('connect-confirm', (event: ConnectConfirmEvent) =>
    // After all listeners of the page: a donation that one of them cancels has not begun.
    queueMicrotask(() => event.defaultPrevented || push('begin_checkout', event)),
  );
  host.addEventListener('connect-success', (event: ConnectSuccessEvent) =>
    push('purchase', event, { transaction_id: event.paymentIntentId }),
  );
}
