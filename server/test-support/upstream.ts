import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, beforeEach } from 'node:test';
import { serve, type ServerType } from '@hono/node-server';
import type {
  DonationTermsInput,
  EmbedForm,
  ErrorCode,
  Form,
  Organization,
} from '@connect-embed/contract';
import {
  ATTACK_UNTIL_HEADER,
  completeTerms,
  CreateEmbedSession,
  MAX_DONATION_CENTS,
  MIN_DONATION_CENTS,
} from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import { etag } from 'hono/etag';

/** One recorded request. */
interface Call {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: unknown;
}

type Fault = (call: Call) => Response | Promise<Response | undefined> | undefined;

export const API_KEY = 'gb_live_test_credential_that_must_never_be_seen';

/** The state at the start of every test. */
const INITIAL_STATE = {
  fault: undefined as Fault | undefined,
  attackUntil: undefined as Date | undefined,
  lifetimeMs: 3_600_000,
  raisedCents: 250_000,
  scriptUrl: 'http://localhost:4300/stripe.js',
  forms: [] as Form[],
  sites: [] as string[],
  organization: {
    name: 'Harbor Street Food Bank',
    website: 'https://harborstreet.example/',
    contact_email: 'hello@harborstreet.example',
  } as Partial<Organization>,
  logo: new Uint8Array(),
  logoType: 'image/png',
};

/**
 * A fake Connect API over HTTP, for behavior that the real API cannot be made to show: failures,
 * delays, revoked sessions, a rejected credential. It records every request.
 *
 * Resets before every test of the file, and stops after the last.
 */
export async function startUpstream({ now = Date.now } = {}) {
  const calls: Call[] = [];
  const state = { ...INITIAL_STATE, revokedSessions: new Set<string>(), componentSessions: 0 };
  const terms = new Map<string, DonationTermsInput>();
  const intents = new Map<string, object>();

  const root = new Hono();
  root.use(async (c, next) => {
    const call = await record(c);
    calls.push(call);
    const fault = await state.fault?.(call);
    if (fault) return fault;
    await next();
    c.header('Date', new Date(now()).toUTCString());
  });
  root.get('/readyz', (c) => c.json({ status: 'ready' }));
  const app = root.basePath('/api/v1');
  const listOf = (data: object[]) => ({ data, has_more: false, next_cursor: null });
  app.get('/forms', etag(), (c) => c.json(listOf(state.forms)));
  app.get('/allowed-sites', etag(), (c) =>
    c.json(listOf(state.sites.map((origin, index) => ({ id: `site_${index}`, origin })))),
  );
  app.post('/allowed-site-requests', async (c) => {
    const { origin } = await c.req.json<{ origin: string }>();
    return c.json({ object: 'allowed_site_request', origin, status: 'pending' });
  });
  app.post('/embed-sessions', async (c) => {
    const id = `es_${randomUUID()}`;
    const body = CreateEmbedSession.parse(await c.req.json());
    const { form: slug, form_version, ...input } = body;
    terms.set(`gb_es_${id}`, input);
    const form = state.forms.find((published) => published.slug === slug);
    if (state.attackUntil) c.header(ATTACK_UNTIL_HEADER, state.attackUntil.toISOString());
    return c.json(
      {
        ...(form && {
          form: {
            ...embedForm({}, state.scriptUrl),
            form_id: form.id,
            form_version: form_version ?? form.version,
          },
        }),
        id,
        object: 'embed_session',
        session_token: `gb_es_${id}`,
        organization_id: 'org_1',
        embed_url: 'http://localhost/embed/es',
        expires_at: new Date(now() + state.lifetimeMs).toISOString(),
      },
      201,
    );
  });
  app.get('/embed-sessions/current', (c) => {
    const token = c.req.header('authorization')?.slice('Bearer '.length) ?? '';
    return c.json(embedForm(terms.get(token) ?? {}, state.scriptUrl));
  });
  app.post('/payment-intents', async (c) => {
    const body = await c.req.json<{ embed_session_id: string }>();
    if (state.revokedSessions.has(body.embed_session_id)) {
      const error = { code: 'embed_session_expired', param: 'embed_session_id' } as const;
      return errorResponse(400, 'invalid_request', 'embed_session_id has expired.', {}, error);
    }
    const key = c.req.header('idempotency-key') ?? randomUUID();
    if (!intents.has(key)) intents.set(key, paymentIntent());
    if (state.attackUntil) c.header(ATTACK_UNTIL_HEADER, state.attackUntil.toISOString());
    return c.json(intents.get(key)!, 201);
  });
  app.post('/component-sessions', async (c) => {
    const { components, masks = [] } = await c.req.json<Record<string, string[]>>();
    const expires_at = new Date(now() + state.lifetimeMs).toISOString();
    state.componentSessions += 1;
    const id = `cs_${state.componentSessions}`;
    const session = { id, object: 'component_session', token: `gb_${id}`, components, masks };
    return c.json({ ...session, organization_id: 'org_1', expires_at }, 201);
  });
  app.get('/campaigns/:id/progress', (c) =>
    c.json({
      object: 'campaign_progress',
      campaign_id: c.req.param('id'),
      name: 'Winter meals',
      currency: 'usd',
      goal_cents: 1_000_000,
      raised_cents: state.raisedCents,
    }),
  );
  app.get('/organization', etag(), (c) =>
    c.req.header('authorization')
      ? c.json({ id: 'org_1', object: 'organization', ...state.organization })
      : errorResponse(401, 'unauthorized', 'No credential.'),
  );
  app.get('/logo.png', (c) => c.body(state.logo, 200, { 'Content-Type': state.logoType }));

  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  after(() => stopServer(server));
  beforeEach(() => {
    calls.length = 0;
    Object.assign(state, INITIAL_STATE);
  });
  return {
    apiBase: `http://127.0.0.1:${port}/api/v1`,
    calls,
    callsOf: (path: string) => calls.filter((call) => call.path.endsWith(path)),
    intents,
    /** Responds in place of the API if the function returns a response. */
    failWith: (fault: Fault | undefined) => void (state.fault = fault),
    revoke: (sessionId: string) => void state.revokedSessions.add(sessionId),
    /** Sets what every campaign has raised. */
    setRaisedCents: (cents: number) => void (state.raisedCents = cents),
    /** Sets the URL of the script that the API names. */
    setScriptUrl: (url: string) => void (state.scriptUrl = url),
    /** Reports an attack in every payment intent response, until called with undefined. */
    attackUntil: (until: Date | undefined) => void (state.attackUntil = until),
    /** Sets the forms that members edit in the dashboard. */
    setForms: (forms: Form[]) => void (state.forms = forms),
    /** Sets the allowed sites of the dashboard. */
    setSites: (origins: string[]) => void (state.sites = origins),
    /** Sets what giving pages show of the organization. */
    setOrganization: (organization: Partial<Organization>) =>
      void (state.organization = organization),
    /** Sets the image at `/logo.png`. */
    setLogo: (logo: Uint8Array<ArrayBuffer>, type = 'image/png') =>
      Object.assign(state, { logo, logoType: type }),
    setLifetimeSeconds: (seconds: number) => void (state.lifetimeMs = seconds * 1000),
  };
}

/** An error response of the API. */
export const errorResponse = (
  status: number,
  type: string,
  message: string,
  headers: Record<string, string> = {},
  details: { code?: ErrorCode; param?: string; queue_position?: number } = {},
) => Response.json({ error: { type, code: type, message, ...details } }, { status, headers });

async function record(c: Context): Promise<Call> {
  const text = await c.req.text();
  return {
    method: c.req.method,
    path: c.req.path,
    headers: c.req.header(),
    body: text ? (JSON.parse(text) as unknown) : undefined,
  };
}

const paymentIntent = () => ({
  object: 'payment_intent',
  payment_intent_id: `pi_${randomUUID()}`,
  client_secret: `pi_secret_${randomUUID()}`,
  publishable_key: 'pk_test_sandbox',
  stripe_account_id: 'acct_1',
});

const embedForm = (input: DonationTermsInput, stripe_js_url: string): EmbedForm => ({
  object: 'embed_form',
  organization: {
    id: 'org_1',
    name: 'Harbor Street Food Bank',
    logo_url: 'https://api.example.org/logos/org_1/1',
  },
  currency: 'usd',
  terms: completeTerms(input, { min: MIN_DONATION_CENTS, max: MAX_DONATION_CENTS }),
  fund_name: null,
  campaign_name: null,
  prefill: { donor_name: null, donor_email: null },
  publishable_key: 'pk_test_sandbox',
  stripe_account_id: 'acct_1',
  stripe_js_url,
  livemode: false,
  receipts: true,
  form_id: null,
  form_version: null,
});

/** Stops the server without waiting for idle keep-alive connections. */
export async function stopServer(server: ServerType): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  if ('closeAllConnections' in server) server.closeAllConnections();
  await closed;
}
