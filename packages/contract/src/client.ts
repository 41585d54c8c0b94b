import type { AllowedSite, AllowedSiteRequest, CreateAllowedSiteRequest } from './allowed-site.ts';
import type { Campaign, CampaignProgress } from './campaign.ts';
import type { ComponentSession, CreateComponentSession } from './component-session.ts';
import type { Donation } from './donation.ts';
import type { Donor } from './donor.ts';
import type { CreateEmbedSession, EmbedForm, EmbedSession } from './embed-session.ts';
import type { FundraisingEvent } from './event.ts';
import type { Form } from './form.ts';
import type { Fund } from './fund.ts';
import type { List } from './list.ts';
import type { Organization } from './organization.ts';
import type { CreatePaymentIntent, PaymentIntent } from './payment-intent.ts';
import type { Payout } from './payout.ts';
import type { RecurringPlan } from './recurring-plan.ts';
import type { Registration } from './registration.ts';
import {
  createTransport,
  formatQuery,
  type CallOptions,
  type Transport,
  type TransportOptions,
} from './transport.ts';

export {
  parseErrorResponse,
  type CallOptions,
  type ClientFetch,
  type ClientRequest,
  type ClientResponse,
  type ResponseHeaders,
} from './transport.ts';

/** Path and resource of each list whose resources can be retrieved by id. */
interface RetrievableResources {
  donations: Donation;
  'recurring-plans': RecurringPlan;
  donors: Donor;
  payouts: Payout;
  events: FundraisingEvent;
  forms: Form;
}

/** Path and resource of each list that the client can page through. */
interface ListedResources extends RetrievableResources {
  'allowed-sites': AllowedSite;
  campaigns: Campaign;
  funds: Fund;
  [registrations: `events/${string}/registrations`]: Registration;
}

export type ConnectClientOptions = Omit<TransportOptions, 'retryDelayMs'>;

export interface ListOptions extends CallOptions {
  limit?: number | undefined;
  cursor?: string | undefined;
  updated_since?: string | undefined;
  /** Filter of events: true returns published events only, false drafts only. */
  published?: boolean | undefined;
  /** Filter of events: returns only events that start now or later. */
  upcoming?: true | undefined;
  /** Filter of registrations. */
  status?: Registration['status'] | undefined;
}

/**
 * The client of our own server, with the calls that it makes. Integrations use
 * `@connect-embed/client`, which has every call of the API: docs/decisions/0103-api-client.md
 *
 * Errors are those of {@link createTransport}.
 */
export class ConnectClient {
  readonly #call: Transport;

  constructor(options: ConnectClientOptions) {
    this.#call = createTransport(options);
  }

  /** Loads one page of a list, such as `events/{id}/registrations` (spec: Read endpoints). */
  list<Name extends keyof ListedResources>(name: Name, options: ListOptions = {}) {
    const { signal, idempotencyKey, token, onHeaders, headers, ...query } = options;
    const path = `/${name}${formatQuery(query)}`;
    const call = { signal, idempotencyKey, token, onHeaders, headers };
    return this.#call<List<ListedResources[Name]>>('GET', path, undefined, call);
  }

  /**
   * Loads the first page of a list, unless it still has this entity tag.
   *
   * @returns the page with its entity tag; undefined if it has not changed
   */
  async listIfChanged<Name extends keyof ListedResources>(
    name: Name,
    etag: string | undefined,
    options: ListOptions = {},
  ) {
    let newTag: string | undefined;
    const page: List<ListedResources[Name]> | undefined = await this.list(name, {
      ...options,
      ...(etag !== undefined && { headers: { 'if-none-match': etag } }),
      onHeaders: (headers) => (newTag = headers.get('etag') ?? undefined),
    });
    return page && { ...page, etag: newTag };
  }

  /** Iterates over all resources of a list; loads the next page only when the caller needs it. */
  async *all<Name extends keyof ListedResources>(
    name: Name,
    options: ListOptions = {},
  ): AsyncGenerator<ListedResources[Name], void, undefined> {
    let cursor = options.cursor;
    do {
      const page = await this.list(name, { ...options, cursor });
      yield* page.data;
      cursor = page.has_more && page.next_cursor !== null ? page.next_cursor : undefined;
    } while (cursor !== undefined);
  }

  /** Loads one resource by its id. @throws {ConnectError} `not_found` */
  get<Name extends keyof RetrievableResources>(name: Name, id: string, options?: CallOptions) {
    const path = `/${name}/${encodeURIComponent(id)}`;
    return this.#call<RetrievableResources[Name]>('GET', path, undefined, options);
  }

  /** Loads the amount that a campaign has raised. @throws {ConnectError} `not_found` */
  getCampaignProgress(id: string, options?: CallOptions) {
    const path = `/campaigns/${encodeURIComponent(id)}/progress`;
    return this.#call<CampaignProgress>('GET', path, undefined, options);
  }

  /** Loads the organization of the token, unless it still has this entity tag, as `listIfChanged`. */
  async getOrganizationIfChanged(etag: string | undefined) {
    let newTag: string | undefined;
    const organization: Organization | undefined = await this.getOrganization({
      ...(etag !== undefined && { headers: { 'if-none-match': etag } }),
      onHeaders: (headers) => (newTag = headers.get('etag') ?? undefined),
    });
    return organization && { organization, etag: newTag };
  }

  /** Loads the organization of the token. */
  getOrganization(options?: CallOptions) {
    return this.#call<Organization>('GET', '/organization', undefined, options);
  }

  /**
   * Creates a payment intent. Card data goes from the browser to Stripe, never through here (spec:
   * Collect).
   */
  createPaymentIntent(donation: CreatePaymentIntent, options?: CallOptions) {
    return this.#call<PaymentIntent>('POST', '/payment-intents', donation, options);
  }

  /** Creates a one-hour session for a form with fixed terms (spec: Write endpoints). */
  createEmbedSession(terms: CreateEmbedSession = {}, options?: CallOptions) {
    return this.#call<EmbedSession>('POST', '/embed-sessions', terms, options);
  }

  /**
   * Loads the data of an embed session's form. The call is authorized by the session's own token.
   */
  getEmbedForm(sessionToken: string, options?: CallOptions) {
    const call = { ...options, token: sessionToken };
    return this.#call<EmbedForm>('GET', '/embed-sessions/current', undefined, call);
  }

  /** Requests that an owner allows a website to show the organization's forms. */
  createAllowedSiteRequest(request: CreateAllowedSiteRequest, options?: CallOptions) {
    return this.#call<AllowedSiteRequest>('POST', '/allowed-site-requests', request, options);
  }

  /** Creates a one-hour read-only session for browsers (spec: Write endpoints). */
  createComponentSession(request: CreateComponentSession, options?: CallOptions) {
    return this.#call<ComponentSession>('POST', '/component-sessions', request, options);
  }
}
