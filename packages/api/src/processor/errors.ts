import { ConnectError } from '@connect-embed/contract';
import Stripe from 'stripe';

/** Codes that are the caller's to mend, and the field that each is about. */
const CALLER_ERROR_FIELDS: Record<string, string> = {
  amount_too_small: 'amount_cents',
  amount_too_large: 'amount_cents',
  email_invalid: 'donor_email',
};

/** The same request is still being dealt with; it can be made again at once. */
const IN_USE = 'idempotency_key_in_use';

/** The processor's words stay in `cause`, for the log: they may tell what is not the caller's. */
export function toConnectError(cause: unknown): ConnectError {
  if (cause instanceof ConnectError) return cause;
  if (cause instanceof Stripe.errors.StripeIdempotencyError && cause.code !== IN_USE) {
    const message = 'Idempotency-Key: was used for another gift.';
    return new ConnectError('conflict', message, { cause });
  }
  const code = cause instanceof Stripe.errors.StripeInvalidRequestError ? cause.code : undefined;
  const field = code && CALLER_ERROR_FIELDS[code];
  if (field) {
    const message = `${field}: the card processor does not take it (${code}).`;
    return new ConnectError('invalid_request', message, { cause });
  }
  return new ConnectError('unavailable', 'The card processor cannot be reached at the moment.', {
    cause,
    retryAfterSeconds: 2,
  });
}

/**
 * Whether the processor refused because an account has nothing to do with us: it has disconnected, or
 * never was connected. Asking again does not help before somebody connects it.
 */
export const isDisconnected = (error: unknown): boolean =>
  error instanceof ConnectError && error.cause instanceof Stripe.errors.StripePermissionError;

/** Lets one refusal of the processor pass, by its code. */
export const ignoreCode = (code: string) => (error: unknown) => {
  if (error instanceof Stripe.errors.StripeError && error.code === code) return undefined;
  throw error;
};
