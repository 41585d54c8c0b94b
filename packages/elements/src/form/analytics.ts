import { currencyDecimals } from '@connect-embed/contract/currency';
import { DEFAULT_FORM } from '@connect-embed/contract/default-form';
import type { ConnectConfirmEvent, ConnectSuccessEvent } from '../donation-events.ts';
import type { FormContext } from './form-context.ts';

type AmountDetail = { amountCents: number; currency: string };

/**
 * With `analytics="ga4"`, pushes Google Analytics 4 events to `window.dataLayer` when a donation starts
 * and when it succeeds. It loads no analytics script and sends no data about the donor: only amount,
 * form and payment id.
 */
export function reportToDataLayer({ draft, host, name, signal }: FormContext) {
  const push = (event: string, { amountCents, currency }: AmountDetail, more: object = {}) => {
    // The page may change the property at any time, for example when consent is withdrawn.
    if (host.analytics !== 'ga4') return;
    const { organization, campaign_name, fund_name } = draft.form;
    const value = amountCents / 10 ** currencyDecimals(currency);
    const item_name = campaign_name ?? fund_name ?? organization.name;
    const items = [{ item_id: name ?? DEFAULT_FORM, item_name, price: value, quantity: 1 }];
    const ecommerce = { currency: currency.toUpperCase(), value, items, ...more };
    const page = window as { dataLayer?: object[] };
    // An element with the id `dataLayer` is `window.dataLayer` until something is assigned to it.
    if (!Object.hasOwn(window, 'dataLayer')) page.dataLayer = [];
    // Clears the previous `ecommerce` object, as Google's documentation requires: otherwise its items
    // are merged.
    (page.dataLayer ??= []).push({ ecommerce: null }, { event, ecommerce });
  };
  const handleConfirm = (event: ConnectConfirmEvent) =>
    // After all listeners of the page: a donation that one of them cancels has not begun.
    queueMicrotask(() => event.defaultPrevented || push('begin_checkout', event));
  const handleSuccess = (event: ConnectSuccessEvent) =>
    push('purchase', event, { transaction_id: event.paymentIntentId });
  host.addEventListener('connect-confirm', handleConfirm, { signal });
  host.addEventListener('connect-success', handleSuccess, { signal });
}
