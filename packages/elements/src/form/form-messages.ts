import { ConnectError } from '@connect-embed/contract/error';
import { interpolate } from '@connect-embed/contract/interpolate';
import { isOffline } from '../shared/is-offline.ts';
import type { FormMessages } from '../shared/message-types.ts';
import type { Field } from './donation-draft.ts';
import { isPageExpired, renderPageExpired } from './load-error-view.ts';
import { isCard } from './payment-fields-view.ts';
import type { NotPaid } from './payment-outcome.ts';

/** The form field of an `invalid_request` error, by its parameter, and the message to show. */
const FIELD_BY_PARAM: Readonly<
  Record<string, { field: Field; text: 'badSum' | 'badName' | 'badEmail' }>
> = {
  amount_cents: { field: 'amount', text: 'badSum' },
  donor_name: { field: 'name', text: 'badName' },
  donor_email: { field: 'email', text: 'badEmail' },
};

/**
 * The message for a donation that could not be started, as text or as a template. In every case nothing
 * was charged.
 */
export function failureMessage(
  error: unknown,
  messages: FormMessages,
): { text: string; field: Field } | { text: unknown; field?: undefined } {
  if (isPageExpired(error)) return { text: renderPageExpired(messages) };
  const { type, code, param } = error instanceof ConnectError ? error : {};
  if (type === 'invalid_request') {
    const named = FIELD_BY_PARAM[param ?? ''];
    if (named) return { field: named.field, text: messages[named.text] };
  }
  if ((error as Error).name === 'AbortError') return { text: messages.canceled };
  if (code === 'form_closed') return { text: messages.formClosedMeanwhile };
  if (code === 'charges_disabled') return { text: messages.chargesDisabled };
  if (code === 'campaign_ended') return { text: messages.campaignEndedMeanwhile };
  if (type === 'proof_required') return { text: messages.checkFailed };
  if (type === 'rate_limited') return { text: `${messages.busy} ${messages.later}` };
  if (type !== 'unavailable' && type !== 'server_error') {
    return { text: `${messages.refused} ${messages.later}` };
  }
  return { text: isOffline(error) ? messages.stillOffline : messages.unreachable };
}

/** Message keys of declined cards, by Stripe's decline or error code. */
const DECLINES = new Map([
  ['insufficient_funds', 'insufficient_funds'],
  ['expired_card', 'expired_card'],
  ['invalid_expiry_month', 'expired_card'],
  ['invalid_expiry_year', 'expired_card'],
  ['incorrect_cvc', 'incorrect_cvc'],
  ['invalid_cvc', 'incorrect_cvc'],
  ['incorrect_number', 'incorrect_number'],
  ['invalid_number', 'incorrect_number'],
  ['incorrect_zip', 'incorrect_zip'],
  ['processing_error', 'processing_error'],
  ['issuer_not_available', 'processing_error'],
  ['reenter_transaction', 'processing_error'],
  ['try_again_later', 'processing_error'],
  ['payment_intent_authentication_failure', 'payment_intent_authentication_failure'],
  ['authentication_required', 'authentication_required'],
] as const);

type DeclineCode = Parameters<(typeof DECLINES)['get']>[0];

/** The message for a donation that is not complete. */
export function outcomeMessage(
  outcome: Exclude<NotPaid, { kind: 'incomplete' }>,
  messages: FormMessages,
  money: (cents: number) => string,
): string {
  if (outcome.kind === 'declined') {
    const { code, method = 'card' } = outcome;
    // Without a code the bank has not declined the card; the confirmation did not finish.
    if (!code) return messages.undecided;
    if (!isCard(method)) return messages.notPaid;
    return messages[DECLINES.get(code as DeclineCode) ?? 'generic_decline'];
  }
  if (outcome.kind === 'repeated' || outcome.kind === 'waiting') {
    return interpolate(messages[outcome.kind], { amount: money(outcome.amountCents) });
  }
  return messages[outcome.kind];
}
