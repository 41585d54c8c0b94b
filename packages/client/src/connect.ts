import { createTransport, type TransportOptions } from '@connect-embed/contract/transport';
import { withIdempotencyKeys } from './call.ts';
import { createRetryDelay } from './retry-delay.ts';
import { donationMethods, recurringPlanMethods } from './resources/donations.ts';
import { donorMethods } from './resources/donors.ts';
import { eventMethods } from './resources/events.ts';
import { liveMethods } from './resources/live.ts';
import * as payments from './resources/payments.ts';
import { payoutMethods } from './resources/payouts.ts';
import * as reference from './resources/reference.ts';
import { webhookMethods } from './resources/webhooks.ts';

/** Retries of a call by default. */
const MAX_RETRIES = 2;

export interface ConnectOptions extends Pick<
  TransportOptions,
  'apiBase' | 'token' | 'fetch' | 'timeoutMs' | 'maxRetryWaitMs'
> {
  /** Most retries of a call; 0 turns them off. Default: 2. */
  maxRetries?: number;
}

/**
 * The Connect API with a property for each resource. Every method throws a `ConnectError`: the
 * API's own, or `unavailable` if the API cannot be reached or exceeds the timeout. If the caller's
 * `signal` aborts a call, it throws the reason of the signal.
 */
export class Connect {
  readonly donations;
  readonly recurringPlans;
  readonly donors;
  readonly payouts;
  readonly events;
  readonly campaigns;
  readonly forms;
  readonly funds;
  readonly organization;
  readonly allowedSites;
  readonly allowedSiteRequests;
  readonly paymentIntents;
  readonly embedSessions;
  readonly componentSessions;
  readonly live;
  readonly webhooks;

  constructor({ maxRetries = MAX_RETRIES, ...options }: ConnectOptions) {
    const transport = createTransport({ ...options, retryDelayMs: createRetryDelay(maxRetries) });
    const call = withIdempotencyKeys(transport);
    this.donations = donationMethods(call);
    this.recurringPlans = recurringPlanMethods(call);
    this.donors = donorMethods(call);
    this.payouts = payoutMethods(call);
    this.events = eventMethods(call);
    this.campaigns = reference.campaignMethods(call);
    this.forms = reference.formMethods(call);
    this.funds = reference.fundMethods(call);
    this.organization = reference.organizationMethods(call);
    this.allowedSites = reference.allowedSiteMethods(call);
    this.allowedSiteRequests = reference.allowedSiteRequestMethods(call);
    this.paymentIntents = payments.paymentIntentMethods(call);
    this.embedSessions = payments.embedSessionMethods(call);
    this.componentSessions = payments.componentSessionMethods(call);
    this.live = liveMethods(options);
    this.webhooks = webhookMethods(call);
  }
}
