import { ConnectError, invalidRequest } from '@connect-embed/contract';
import Stripe from 'stripe';

/** Stripe's error codes for mistakes that the API's client can correct, with the faulty request field. */
const CALLER_ERROR_FIELDS: Record<string, string> = {
  amount_too_small: 'amount_cents',
  amount_too_large: 'amount_cents',
  email_invalid: 'donor_email',
};

/** Stripe's error code while another request with the same idempotency key runs. Retrying is safe. */
const IN_USE = 'idempotency_key_in_use';

/**
 * Maps an error of Stripe to an error for the API's client. Stripe's message remains in `cause` for
 * the log, because it may contain data that the client must not see.
 */
export function toConnectError(cause: unknown): ConnectError {
  if (cause instanceof ConnectError) return cause;
  if (cause instanceof Stripe.errors.StripeIdempotencyError && cause.code !== IN_USE) {
    const message = 'Idempotency-Key was already used for another donation.';
    const [code, param] = ['idempotency_key_reused', 'Idempotency-Key'] as const;
    return new ConnectError('conflict', message, { code, param, cause });
  }
  const code = cause instanceof Stripe.errors.StripeInvalidRequestError ? cause.code : undefined;
  const field = code && CALLER_ERROR_FIELDS[code];
  if (field) {
    const problem = `was rejected by the card processor (${code}).`;
    return invalidRequest(field, problem, { code: 'processor_rejected', cause });
  }
  return new ConnectError('unavailable', 'The card processor cannot be reached at the moment.', {
    code: 'processor_unavailable',
    cause,
    retryAfterSeconds: 2,
  });
}

/** The error of a call whose result Stripe does not report, or not yet. */
export const processorUnavailable = (message: string) =>
  new ConnectError('unavailable', message, { code: 'processor_unavailable' });

/**
 * Returns true if Stripe did not accept the key, or not for this call. Every retry fails until somebody
 * changes that.
 */
export const isAccessRefused = (error: unknown): boolean =>
  error instanceof ConnectError && isKeyRejected(error.cause);

/**
 * Returns true if Stripe rejected a call because the account is not, or no longer, connected to our
 * platform, or because its own keys were revoked. So it rejects every other call, too.
 */
export const isDisconnected = (error: unknown): boolean =>
  isAccessRefused(error) && !isPermissionMissing(error);

/**
 * Returns true if Stripe accepted the key, but it is a restricted key without the permission for the call.
 * Without access to the account, the error has the code `account_invalid`.
 */
export const isPermissionMissing = (error: unknown): boolean =>
  error instanceof ConnectError &&
  error.cause instanceof Stripe.errors.StripePermissionError &&
  error.cause.code !== 'account_invalid';

/** Returns true if Stripe rejected a call, and its retries, because there are too many. */
export const isRateLimited = (error: unknown): boolean =>
  error instanceof ConnectError && error.cause instanceof Stripe.errors.StripeRateLimitError;

/** Returns true for an error of the `stripe` package if Stripe did not accept the key, or not for this call. */
export const isKeyRejected = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripePermissionError ||
  error instanceof Stripe.errors.StripeAuthenticationError;

/** Returns true for an error of the `stripe` package if Stripe accepted the key, but refused the call. */
export const isRefusal = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof Stripe.errors.StripePermissionError ||
  error instanceof Stripe.errors.StripeInvalidRequestError;

/** Returns true if Stripe does not have the object of the call, for example one of its test mode. */
export const isMissing = (error: unknown): boolean =>
  error instanceof ConnectError &&
  error.cause instanceof Stripe.errors.StripeError &&
  error.cause.code === 'resource_missing';

/**
 * Returns the reason if Stripe refused a call for good, so that every repetition is refused, too: Stripe's error
 * code, such as `resource_missing`, or the name of the error. Returns undefined if a repetition may succeed:
 * Stripe failed, did not respond, or limits the rate of calls.
 *
 * A secret key that Stripe does not accept counts only if it belongs to the organization (`hasOwnKeys`). That of
 * the platform is a mistake of the operator, which ends when the right key is configured.
 */
export function finalRefusal(error: unknown, hasOwnKeys: boolean): string | undefined {
  const cause = error instanceof ConnectError ? error.cause : undefined;
  const isFinal =
    cause instanceof Stripe.errors.StripeInvalidRequestError ||
    cause instanceof Stripe.errors.StripePermissionError ||
    cause instanceof Stripe.errors.StripeCardError ||
    (cause instanceof Stripe.errors.StripeIdempotencyError && cause.code !== IN_USE) ||
    (cause instanceof Stripe.errors.StripeAuthenticationError && hasOwnKeys);
  return isFinal ? (cause.code ?? cause.type) : undefined;
}

/** Returns a `catch` handler that ignores one error code of Stripe. */
export const ignoreCode = (code: string) => (error: unknown) => {
  if (error instanceof Stripe.errors.StripeError && error.code === code) return undefined;
  throw error;
};
