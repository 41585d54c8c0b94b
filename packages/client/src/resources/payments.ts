import type {
  ComponentSession,
  CreateComponentSession,
  CreateEmbedSession,
  CreatePaymentIntent,
  EmbedForm,
  EmbedSession,
  PaymentIntent,
  PaymentIntentStatus,
  ProcessingPayment,
  ProcessingPaymentQuery,
} from '@connect-embed/contract';
import type { Filters } from '../filters.ts';
import { ResourceList } from '../resource-list.ts';
import { path, type Call, type RequestOptions } from '../call.ts';

export const paymentIntentMethods = (call: Call) => ({
  /** Creates a payment intent, paid with Stripe in the donor’s browser. Scope: `payments:write`. */
  create: (donation: CreatePaymentIntent, options?: RequestOptions) =>
    call<PaymentIntent>('POST', '/payment-intents', donation, options),

  /** Reads the status of a payment intent of this credential. @throws {ConnectError} `not_found` */
  get: (id: string, options?: RequestOptions) =>
    call<PaymentIntentStatus>('GET', path`/payment-intents/${id}`, undefined, options),

  /** Lists the payments whose money is on its way, newest first. Scope: `donations:read`. */
  list: (filters: Filters<ProcessingPaymentQuery>, options?: RequestOptions) =>
    new ResourceList<ProcessingPayment>(call, '/payment-intents', filters, options),
});

export const embedSessionMethods = (call: Call) => ({
  /** Creates a one-hour session of a donation form. Scope: `payments:write`. */
  create: (terms: CreateEmbedSession = {}, options?: RequestOptions) =>
    call<EmbedSession>('POST', '/embed-sessions', terms, options),

  /** Reads the form of an embed session, whose `session_token` must be the token. */
  current: (options?: RequestOptions) =>
    call<EmbedForm>('GET', '/embed-sessions/current', undefined, options),
});

export const componentSessionMethods = (call: Call) => ({
  /** Creates a one-hour read-only session for a browser. Scope: the read scope of each component. */
  create: (request: CreateComponentSession, options?: RequestOptions) =>
    call<ComponentSession>('POST', '/component-sessions', request, options),
});
