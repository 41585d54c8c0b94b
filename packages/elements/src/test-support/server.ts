/**
 * Simulates the server (BFF) and the API by replacing `fetch`, with responses as the contract
 * defines them.
 *
 * For tests of what the browser shows only; `test/e2e` tests the real servers.
 */
import type {
  CampaignProgress,
  Donation,
  EmbedForm,
  ErrorType,
  FormSession,
  FundChoice,
  DonationTerms,
  DonationTermsInput,
  PageSession,
  PaymentIntent,
  PublicForm,
} from '@connect-embed/contract';
import { completeTerms } from '@connect-embed/contract/apply-donation-terms';

export const SERVER = 'https://server.test';
const API = 'https://api.test/api/v1';

export interface RecordedRequest {
  path: string;
  headers: Headers;
  body: Record<string, unknown>;
  query: URLSearchParams;
  signal: AbortSignal | undefined;
}

/** A response that never arrives. */
export const neverResolves = () => new Promise<never>(() => {});

type RouteResponse = Response | Promise<Response> | undefined;
type RouteHandler = (requests: RecordedRequest, times: number) => RouteResponse;

export const jsonResponse = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });

const STATUS: Partial<Record<ErrorType, number>> = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  proof_required: 428,
  rate_limited: 429,
};

export const errorResponse = (
  type: ErrorType,
  message: string = type,
  retryAfter?: number,
  detail: { code?: string; param?: string | undefined; queue_position?: number } = {},
) =>
  jsonResponse(
    { error: { type, code: type, message, ...detail } },
    STATUS[type] ?? 503,
    retryAfter === undefined ? {} : { 'retry-after': `${retryAfter}` },
  );

export const donationTerms = (
  input: DonationTermsInput = {},
  funds: readonly FundChoice[] = [],
): DonationTerms =>
  completeTerms(
    { preset_amounts_cents: [2500, 5000, 10_000], default_amount_cents: 5000, ...input },
    { min: 500, max: 1_000_000 },
    funds,
  );

export const embedForm = (change: Partial<EmbedForm> = {}): EmbedForm => ({
  object: 'embed_form',
  organization: {
    id: 'org_harbor',
    name: 'Harbor Street Food Bank',
    time_zone: 'America/New_York',
    contact_email: 'hello@harborstreet.example',
    logo_url: null,
  },
  currency: 'usd',
  terms: donationTerms(),
  fund_name: null,
  campaign_name: 'Winter meals',
  prefill: { donor_name: null, donor_email: null },
  publishable_key: 'pk_test_sandbox',
  stripe_account_id: 'acct_1',
  stripe_js_url: 'https://sandbox.test/stripe.js',
  livemode: false,
  receipts: true,
  form_id: null,
  form_version: null,
  ...change,
});

/** The response of `GET /embed-form`. */
export function publicForm(form: EmbedForm = embedForm()): PublicForm {
  const { publishable_key: _key, stripe_account_id: _account, ...rest } = form;
  return rest;
}

export const FUNDS: readonly FundChoice[] = [
  { id: 'fund_1', name: 'Weekend meals' },
  { id: 'fund_2', name: 'Mobile kitchen' },
];

/** How a form looks that says what its amounts achieve. */
export const impactOf = (impact_texts: Record<number, string>): EmbedForm['presentation'] => ({
  ...{ properties: {}, messages: {}, style: '', accent_color: null, impact_texts_by_frequency: {} },
  impact_texts,
});

/** URL of an organization's logo. */
export const LOGO = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 56"><rect width="56" height="56" rx="16" fill="#0b6b5b"/><rect x="68" y="12" width="92" height="12" rx="6"/><rect x="68" y="34" width="60" height="10" rx="5"/></svg>',
)}`;

/** Terms of a form with every optional feature. */
export const fullTerms = (change: DonationTermsInput = {}): DonationTerms =>
  donationTerms(
    {
      frequencies: ['one_time', 'monthly', 'quarterly', 'yearly'],
      fee_cover: 'offered',
      fund_choice_ids: FUNDS.map(({ id }) => id),
      allow_anonymous: true,
      allow_comment: true,
      allow_dedication: true,
      ...change,
    },
    FUNDS,
  );

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

export const formSession = (form: EmbedForm = embedForm(), token = 'visitor_1'): FormSession => ({
  id: 'es_1',
  object: 'embed_session',
  session_token: token,
  organization_id: 'org_harbor',
  embed_url: 'https://api.test/embed/es_1',
  expires_at: inAnHour(),
  form,
});

export const intent = (id = 'pi_1'): PaymentIntent => ({
  object: 'payment_intent',
  payment_intent_id: id,
  client_secret: `${id}_secret_1`,
  publishable_key: 'pk_test_sandbox',
  stripe_account_id: 'acct_1',
  reference: 'K7QM-4XTZ',
});

export const donation = (number: number, change: Partial<Donation> = {}): Donation => ({
  id: `don_${number}`,
  object: 'donation',
  amount_cents: 5000,
  net_amount_cents: 4800,
  currency: 'usd',
  recurring: false,
  refund_status: 'none',
  refunded_amount_cents: 0,
  dispute_status: 'none',
  donor_name: `Donor ${number}`,
  donor_email: null,
  fund_id: null,
  fund_name: 'Meals',
  campaign_id: null,
  contact_id: null,
  source: 'embed',
  source_id: null,
  created_at: '2026-11-20T12:00:00.000Z',
  reference: 'K7QM-4XTZ',
  fee_cents: 200,
  dispute_fee_cents: 0,
  disputed_amount_cents: 0,
  settlement_currency: null,
  settlement_amount_cents: null,
  settlement_fee_cents: null,
  settlement_net_cents: null,
  exchange_rate: null,
  payment_method: 'card',
  card_brand: 'visa',
  payout_id: null,
  campaign_name: null,
  livemode: true,
  ...{ dedication: null, comment: null, form_id: null, form_name: null, page_origin: null },
  ...change,
});

/** The response of `GET /campaigns/camp_winter/progress`. */
export const campaignProgress = (change: Partial<CampaignProgress> = {}): CampaignProgress => ({
  object: 'campaign_progress',
  campaign_id: 'camp_winter',
  name: 'Winter meals',
  currency: 'usd',
  goal_cents: 2_000_000,
  raised_cents: 1_234_050,
  ...change,
});

export const pageSession = (components: unknown, token = 'component_1'): PageSession => ({
  id: 'cs_1',
  object: 'component_session',
  token,
  organization_id: 'org_harbor',
  organization_name: 'Harbor Street Food Bank',
  components: components as string[],
  masks: [],
  expires_at: inAnHour(),
  api_base: API,
});

/** Replaces `window.fetch` until `restore` is called, and records all requests in order. */
export class FakeServer {
  readonly requests: RecordedRequest[] = [];
  readonly #routes = new Map<string, RouteHandler>();
  readonly #originalFetch = window.fetch;

  constructor() {
    window.fetch = (url, init) => this.#handle(url as string, init);
    this.setForm({});
    this.on('/payment-intents', () => jsonResponse(intent(), 201));
    this.on('/component-sessions', ({ body }) =>
      jsonResponse(pageSession(body['components']), 201),
    );
    for (const list of ['donations', 'donors', 'payouts']) {
      this.on(`/api/v1/${list}`, () =>
        jsonResponse({ data: [], has_more: false, next_cursor: null }),
      );
    }
  }

  /**
   * Sets the handler of a path. `times` counts the requests to this path, from 1. A handler that
   * returns undefined simulates a network error.
   */
  on(path: string, handler: RouteHandler) {
    this.#routes.set(path, handler);
  }

  /** Changes the form, also that of all following sessions. */
  setForm(change: Partial<EmbedForm>) {
    const form = embedForm(change);
    this.on('/embed-form', () => jsonResponse(publicForm(form)));
    this.on('/embed-sessions', () => jsonResponse(formSession(form), 201));
  }

  /** The idempotency keys of all payment intent requests, in order. */
  get idempotencyKeys(): (string | null)[] {
    return this.requestsTo('/payment-intents').map(({ headers }) => headers.get('idempotency-key'));
  }

  /** All requests to a path so far. */
  requestsTo(path: string): RecordedRequest[] {
    return this.requests.filter((request) => request.path === path);
  }

  /** Restores `fetch` and clears the browser's storage, so that the next test starts as another donor. */
  restore() {
    window.fetch = this.#originalFetch;
    sessionStorage.clear();
    localStorage.clear();
  }

  async #handle(address: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address);
    const request = {
      path: url.pathname,
      headers: new Headers(init.headers),
      body: JSON.parse((init.body as string | undefined) ?? '{}') as Record<string, unknown>,
      query: url.searchParams,
      signal: init.signal ?? undefined,
    };
    this.requests.push(request);
    await Promise.resolve();
    const response = this.#routes.get(url.pathname)?.(
      request,
      this.requestsTo(url.pathname).length,
    );
    if (!response) throw new TypeError('Failed to fetch');
    return response;
  }
}
