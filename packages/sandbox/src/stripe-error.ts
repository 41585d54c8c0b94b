import type { PaymentIntent, PaymentMethod, SetupIntent } from './stripe-types.ts';

/** What Stripe puts into `error`. */
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

export type ErrorStatus = 400 | 401 | 402 | 403 | 404 | 409 | 413 | 429 | 500;

/** A refusal in Stripe's shape. Thrown, it undoes what the request did so far. */
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

/** Where Stripe explains a code. */
export const docUrl = (code: string) =>
  `https://docs.stripe.com/error-codes/${code.replaceAll('_', '-')}`;

/** 500: what Stripe says when it fails. */
export const API_FAILURE = {
  status: 500,
  error: { type: 'api_error', message: 'An unknown error occurred.' },
} as const;

/** 400: a parameter is wrong. */
export const invalidParam = (param: string, message: string, code?: string) =>
  new StripeError(400, { type: 'invalid_request_error', message, param, code });

/** 404; the same words whether it never was or belongs to another account. */
export const resourceMissingError = (kind: string, id: string, param = 'id') =>
  new StripeError(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param,
  });

/** 400: what Stripe can do and the sandbox cannot. Better said than half done. */
export const unsupportedParamError = (param: string) =>
  invalidParam(param, `The sandbox does not do \`${param}\`; see packages/sandbox/README.md.`);
