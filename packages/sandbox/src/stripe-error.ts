import type { PaymentIntent, PaymentMethod, SetupIntent } from './stripe-types.ts';

export type ErrorBody = {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  message: string;
  code?: string | undefined;
  decline_code?: string | undefined;
  param?: string | undefined;
  charge?: string | undefined;
  doc_url?: string | undefined;
  payment_intent?: PaymentIntent | undefined;
  setup_intent?: SetupIntent | undefined;
  payment_method?: PaymentMethod | undefined;
  payment_method_type?: string | undefined;
};

type ErrorStatus = 400 | 401 | 402 | 403 | 404 | 409 | 413 | 429 | 500;

/** An error in Stripe's format. Throwing it rolls back the request. */
export class StripeError extends Error {
  override readonly name = 'StripeError';
  readonly status: ErrorStatus;
  readonly error: ErrorBody;

  constructor(status: ErrorStatus, error: ErrorBody) {
    super(error.message);
    this.status = status;
    this.error = error.code ? { ...error, doc_url: docUrl(error.code) } : error;
  }

  toJSON() {
    return { error: this.error };
  }
}

/** Stripe's documentation of an error code. */
export const docUrl = (code: string) =>
  `https://docs.stripe.com/error-codes/${code.replaceAll('_', '-')}`;

/** Stripe's error for its own failures, with status 500. */
export const API_FAILURE = {
  status: 500,
  error: { type: 'api_error', message: 'An unknown error occurred.' },
} as const;

/** Stripe's error for too many requests, with status 429. */
export const RATE_LIMIT_ERROR = {
  type: 'invalid_request_error',
  code: 'rate_limit',
  message:
    'Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.',
} as const;

/** Creates the error for an invalid parameter, with status 400. */
export const invalidParamError = (param: string, message: string, code?: string) =>
  new StripeError(400, { type: 'invalid_request_error', message, param, code });

/**
 * Creates the error for a missing object, with status 404. The message is the same for an object
 * that does not exist and one that belongs to another account.
 */
export const resourceMissingError = (kind: string, id: string, param = 'id') =>
  new StripeError(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param,
  });

/**
 * Creates the error for the value of a parameter that Stripe supports and the sandbox does not, with
 * status 400. An error is better than a wrong result.
 */
export const unsupportedParamError = (param: string) =>
  invalidParamError(
    param,
    `The sandbox does not support \`${param}\`; see packages/sandbox/README.md.`,
  );
