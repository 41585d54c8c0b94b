import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type {
  CampaignProgress,
  Form,
  FormSession,
  List,
  PageSession,
} from '@connect-embed/contract';
import { memoryTokenStore } from '../index.ts';
import { startSystem } from '../test-support/system.ts';
import { Member } from '../test-support/dashboard-member.ts';
import { errorOf, openServer, ORIGIN } from '../test-support/embedding-page.ts';

const system = await startSystem();
after(() => system.close());

const REDIRECT_URI = 'http://localhost:9/oauth/callback';
const owner = ['--owner', 'developer@sprout.example', '--name', 'Sprout', '--json'];
const app = JSON.parse(
  await system.connect('apps', 'create', ...owner, '--redirect-uri', REDIRECT_URI),
) as { client_id: string; client_secret: string };

const PLATFORM = {
  clientId: app.client_id,
  clientSecret: app.client_secret,
  issuer: system.apiUrl,
  redirectUri: REDIRECT_URI,
  afterUrl: 'https://platform.example/settings',
};

/** Opens a server in platform mode, and its OAuth flow as a browser runs it. */
function openPlatform(config: Parameters<typeof openServer>[1] = {}) {
  const tokens = memoryTokenStore();
  const connected: string[] = [];
  const page = openServer(system.apiBase, {
    apiKey: undefined,
    forms: { default: { organization: 'org_harbor' } },
    authorize: (request) => ({ organization: request.headers.get('x-organization') ?? 'org_none' }),
    platform: {
      ...PLATFORM,
      scopes: ['donations:read', 'payments:write', 'reference:read'],
      tokens,
      onConnected: (id) => void connected.push(id),
    },
    ...config,
  });
  const start = async () => {
    const response = await page.server.request('/oauth/start');
    assert.equal(response.status, 303);
    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
    return { cookie, location: response.headers.get('location') ?? '' };
  };
  const callback = ({ search }: URL, cookie: string) =>
    page.server.request(`/oauth/callback${search}`, { headers: { cookie } });
  const connect = async (organization: string, decision?: string, member = newMember()) => {
    const { cookie, location } = await start();
    const callbackUrl = await member.approve(location, organization, decision);
    const response = await callback(callbackUrl, cookie);
    return { response, callbackUrl, cookie, member };
  };
  const openTables = (organization: string) =>
    page.post(
      '/component-sessions',
      { components: ['donations'] },
      { 'x-organization': organization },
    );
  return { ...page, tokens, connected, start, callback, connect, openTables };
}

/** Requests of the API in which each form of the dashboard has a campaign. The demo has no such form. */
const fetchWithCampaign: typeof fetch = async (...request) => {
  const response = await fetch(...request);
  if (!/\/forms\b/.test(response.url)) return response;
  const list = (await response.json()) as List<Form>;
  const data = list.data.map((form) => ({ ...form, campaign_id: 'camp_winter' }));
  return Response.json({ ...list, data });
};

const newMember = () => new Member(system.apiUrl);

describe('a platform', () => {
  test('acts for the connected organization and for no other', async () => {
    const platform = openPlatform();
    const { response } = await platform.connect('org_harbor');
    assert.equal(response.status, 303);
    const after = response.headers.get('location');
    assert.equal(after, 'https://platform.example/settings?organization=org_harbor');
    assert.deepEqual(platform.connected, ['org_harbor']);

    const tablesResponse = await platform.openTables('org_harbor');
    assert.equal(tablesResponse.status, 201, await tablesResponse.clone().text());
    const session = (await tablesResponse.json()) as PageSession;
    assert.equal(session.organization_id, 'org_harbor');
    const headers = { authorization: `Bearer ${session.token}` };
    assert.equal((await fetch(`${session.api_base}/donations`, { headers })).status, 200);

    const error = await errorOf(await platform.openTables('org_lantern'));
    assert.deepEqual([error.status, error.type], [403, 'forbidden']);
  });

  test('does not use tokens that were copied from another organization', async () => {
    const platform = openPlatform();
    await platform.connect('org_harbor');
    await platform.tokens.set('org_lantern', (await platform.tokens.get('org_harbor'))!);
    const error = await errorOf(await platform.openTables('org_lantern'));
    assert.deepEqual([error.status, error.type], [403, 'forbidden']);
    assert.match(error.message, /org_lantern has not connected/);
    assert.equal((await platform.openTables('org_harbor')).status, 201);
  });

  test('accepts donations for the connected organization', async () => {
    const platform = openPlatform();
    await platform.connect('org_harbor');
    const { session_token, form } = await platform.openForm();
    assert.equal(form.organization.id, 'org_harbor');
    assert.equal((await platform.createPaymentIntent(session_token)).status, 201);
  });

  test('opens forms of the dashboard of a connected organization, on its allowed sites', async () => {
    const platform = openPlatform({ origins: [] });
    const open = (form: string, origin = ORIGIN) =>
      platform.server.request(`/embed-sessions?form=${form}`, {
        method: 'POST',
        headers: { origin },
      });
    const notConnected = await errorOf(await open('org_harbor/website'));
    assert.deepEqual([notConnected.status, notConnected.type], [403, 'forbidden']);

    await platform.connect('org_harbor');
    const response = await open('org_harbor/website');
    assert.equal(response.status, 201, await response.clone().text());
    const { session_token, form } = (await response.json()) as FormSession;
    assert.equal(form.form_id, 'form_website');
    const preflight = await platform.server.request('/payment-intents', {
      method: 'OPTIONS',
      headers: { origin: ORIGIN, 'access-control-request-method': 'POST' },
    });
    assert.equal(preflight.headers.get('access-control-allow-origin'), ORIGIN);
    const intent = await platform.createPaymentIntent(session_token);
    assert.equal(intent.status, 201, await intent.clone().text());
    assert.equal(intent.headers.get('access-control-allow-origin'), ORIGIN);

    assert.equal((await open('org_harbor/website', 'https://evil.example')).status, 403);
    assert.equal((await open('website')).status, 403);
    assert.equal((await open('org_harbor/kitchen')).status, 404);
    assert.equal((await open('org_lantern/website')).status, 403);
    const elsewhere = await platform.createPaymentIntent(session_token, undefined, undefined, {
      origin: 'https://evil.example',
    });
    assert.equal(elsewhere.status, 403);
  });

  describe('on a site that only one organization allows', () => {
    const forged = `Bearer e30.${Buffer.from('{"form":"org_harbor/website"}').toString('base64url')}.x`;
    const attempts: [string, string, string, object, Record<string, string>][] = [
      [
        'the form of another in the body',
        'POST',
        '/embed-sessions?form=org_harbor/website',
        { form: 'default' },
        {},
      ],
      [
        'the form of another and a forged token',
        'POST',
        '/embed-sessions?form=default',
        {},
        { authorization: forged },
      ],
      [
        'tables',
        'POST',
        '/component-sessions?form=org_harbor/website',
        { components: ['donations'] },
        { 'x-organization': 'org_harbor', authorization: forged },
      ],
      [
        'the progress of a campaign',
        'GET',
        '/campaigns/camp_winter/progress?form=org_harbor/website',
        {},
        { authorization: forged },
      ],
    ];
    for (const [description, method, path, body, headers] of attempts) {
      test(`does not open ${description}`, async () => {
        const platform = openPlatform({
          origins: [],
          campaigns: [{ id: 'camp_winter', organization: 'org_harbor' }],
        });
        await platform.connect('org_harbor');
        const response = await platform.server.request(path, {
          method,
          headers: { origin: ORIGIN, 'content-type': 'application/json', ...headers },
          ...(method === 'POST' && { body: JSON.stringify(body) }),
        });
        const error = await errorOf(response);
        assert.deepEqual([error.status, error.type], [403, 'forbidden'], error.message);
      });
    }
  });

  test('shows goals of a connected organization on its allowed sites', async () => {
    const platform = openPlatform({ origins: [], fetch: fetchWithCampaign });
    const get = (campaign: string, origin = ORIGIN) =>
      platform.server.request(`/campaigns/${encodeURIComponent(campaign)}/progress`, {
        headers: { origin },
      });
    assert.equal((await get('org_harbor/camp_winter')).status, 403);
    await platform.connect('org_harbor');
    const response = await get('org_harbor/camp_winter');
    assert.equal(response.status, 200, await response.clone().text());
    assert.equal(response.headers.get('access-control-allow-origin'), ORIGIN);
    assert.ok(((await response.json()) as CampaignProgress).raised_cents > 0);
    assert.equal((await get('org_harbor/camp_kitchen')).status, 404);
    assert.equal((await get('org_harbor/camp_winter', 'https://evil.example')).status, 403);
    assert.equal((await get('camp_winter')).status, 403);
  });

  test('shows the goal of a configured form under the name that the form uses', async () => {
    const forms = {
      'org_harbor/winter': { campaign_id: 'camp_winter', organization: 'org_harbor' },
    };
    const platform = openPlatform({ forms });
    await platform.connect('org_harbor');
    const statusOf = async (campaign: string) => {
      const headers = { origin: ORIGIN };
      return (await platform.server.request(`/campaigns/${campaign}/progress`, { headers })).status;
    };
    assert.equal(await statusOf('org_harbor/camp_winter'), 200);
    assert.equal(await statusOf('org_harbor/camp_kitchen'), 404);
  });

  test('shows goals at a path without an encoded slash, which some proxies reject', async () => {
    const platform = openPlatform({ origins: [], fetch: fetchWithCampaign });
    await platform.connect('org_harbor');
    const send = (origin: string, method = 'GET') =>
      platform.server.request('/campaigns/org_harbor/camp_winter/progress', {
        method,
        headers: { origin },
      });
    const response = await send(ORIGIN);
    assert.equal(response.status, 200, await response.clone().text());
    assert.equal(response.headers.get('access-control-allow-origin'), ORIGIN);
    assert.equal((await send('https://evil.example')).status, 403);
    assert.equal((await send(ORIGIN, 'POST')).status, 405);
  });

  test('limits the requests for goals of each organization on its own', async () => {
    const platform = openPlatform({
      campaigns: [
        { id: 'camp_other', organization: 'org_other' },
        { id: 'camp_winter', organization: 'org_harbor' },
      ],
      limits: { campaigns: { points: 1, seconds: 10 } },
    });
    await platform.connect('org_harbor');
    const statusOf = async (campaign: string) => {
      const headers = { origin: ORIGIN };
      const path = `/campaigns/${campaign}/progress`;
      return (await platform.server.request(path, { headers })).status;
    };
    assert.equal(await statusOf('camp_other'), 403);
    assert.equal(await statusOf('camp_winter'), 200);
  });

  test('is redirected with access_denied when the member declines', async () => {
    const { response } = await openPlatform().connect('org_harbor', 'refuse');
    const after = response.headers.get('location');
    assert.equal(after, 'https://platform.example/settings?error=access_denied');
  });

  test('loses access when the organization disconnects it', async () => {
    const disconnected: string[] = [];
    const platform = openPlatform({
      platform: { ...PLATFORM, onDisconnected: (id) => void disconnected.push(id) },
    });
    const { member } = await platform.connect('org_lantern');
    assert.equal((await platform.openTables('org_lantern')).status, 201);
    await member.disconnect('org_lantern');
    assert.deepEqual(disconnected, []);
    const error = await errorOf(await platform.openTables('org_lantern'));
    assert.deepEqual([error.status, error.type], [403, 'forbidden']);
    assert.match(error.message, /org_lantern has not connected/);
    assert.equal(await platform.tokens.get('org_lantern'), undefined);
    assert.deepEqual(disconnected, ['org_lantern']);
  });

  test('calls the API for a connected organization', async () => {
    const platform = openPlatform();
    await platform.connect('org_harbor');
    const token = await platform.server.accessToken('org_harbor');
    const headers = { authorization: `Bearer ${token}` };
    assert.equal((await fetch(`${system.apiBase}/donations`, { headers })).status, 200);
    await assert.rejects(platform.server.accessToken('org_lantern'), {
      code: 'organization_not_connected',
    });
  });

  test('disconnects an organization, whose tokens end at the API, too', async () => {
    const platform = openPlatform();
    await platform.connect('org_lantern');
    const session = (await (await platform.openTables('org_lantern')).json()) as PageSession;
    const statusOfSession = async () => {
      const headers = { authorization: `Bearer ${session.token}` };
      return (await fetch(`${session.api_base}/donations`, { headers })).status;
    };
    assert.equal(await statusOfSession(), 200);
    await platform.server.disconnect('org_lantern');
    assert.equal(await statusOfSession(), 401);
    assert.equal(await platform.tokens.get('org_lantern'), undefined);
    assert.equal((await errorOf(await platform.openTables('org_lantern'))).status, 403);
    await platform.server.disconnect('org_lantern'); // A repeated call is no error.
  });

  test('keeps the connection if the API cannot be reached', async () => {
    const platform = openPlatform();
    await platform.connect('org_lantern');
    const { tokens } = platform;
    const unreachable = openPlatform({
      platform: { ...PLATFORM, issuer: 'http://localhost:9', tokens },
    });
    const disconnect = unreachable.server.disconnect('org_lantern');
    await assert.rejects(disconnect, { type: 'unavailable' });
    assert.equal((await platform.openTables('org_lantern')).status, 201);
  });

  test('stores tokens encrypted, and refreshes them once when they have expired', async () => {
    const platform = openPlatform();
    await platform.connect('org_harbor');
    const stored = (await platform.tokens.get('org_harbor')) ?? '';
    assert.match(stored, /^eyJ/);
    assert.doesNotMatch(Buffer.from(stored, 'base64url').toString('latin1'), /gba_|gbr_/);
    // A second process of the same platform, an hour later.
    const { tokens } = platform;
    const now = () => Date.now() + 3_600_000;
    const laterPlatform = openPlatform({ now, platform: { ...PLATFORM, tokens } });
    const responses = await Promise.all(
      [1, 2, 3].map(() => laterPlatform.openTables('org_harbor')),
    );
    assert.deepEqual(
      responses.map(({ status }) => status),
      [201, 201, 201],
    );
    assert.notEqual(await tokens.get('org_harbor'), stored);
  });
});

describe('GET /oauth/callback', () => {
  test('accepts a response only in the browser that started the flow, and once', async () => {
    const platform = openPlatform();
    const { cookie, location } = await platform.start();
    const callbackUrl = await newMember().approve(location, 'org_harbor');
    assert.equal((await platform.callback(callbackUrl, '')).status, 400);
    const { cookie: otherCookie } = await platform.start();
    assert.equal((await platform.callback(callbackUrl, otherCookie)).status, 400);
    assert.equal((await platform.callback(callbackUrl, cookie)).status, 303);
    assert.equal((await platform.callback(callbackUrl, cookie)).status, 400);
  });

  test('shows a page to a member who comes back to it', async () => {
    const response = await openPlatform().server.request('/oauth/callback?code=old', {
      headers: { accept: 'text/html' },
    });
    assert.equal(response.status, 400);
    assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
    const page = await response.text();
    assert.ok(page.includes('This page has expired'));
    assert.ok(page.includes(`href="${PLATFORM.afterUrl}"`));
  });

  test('shows the page to a member who began again in another tab, or opens a used address', async () => {
    const platform = openPlatform();
    const [first, second] = [await platform.start(), await platform.start()];
    const callbackUrl = await newMember().approve(first.location, 'org_harbor');
    const open = (cookie: string) =>
      platform.server.request(callbackUrl, { headers: { accept: 'text/html', cookie } });
    assert.ok((await (await open(second.cookie)).text()).includes('This page has expired'));
    assert.equal((await open(first.cookie)).status, 303);
    // The cookie is deleted, but a copy of it is still valid: the code is not.
    assert.ok((await (await open(first.cookie)).text()).includes('This page has expired'));
  });

  test('rejects a response of another server (RFC 9207)', async () => {
    const platform = openPlatform();
    const { cookie, location } = await platform.start();
    const callbackUrl = await newMember().approve(location, 'org_harbor');
    callbackUrl.searchParams.set('iss', 'https://evil.example');
    assert.equal((await platform.callback(callbackUrl, cookie)).status, 400);
  });
});

describe('GET /oauth/start', () => {
  test('returns 404 without a platform configuration', async () => {
    const { server } = openServer(system.apiBase);
    assert.equal((await server.request('/oauth/start')).status, 404);
  });

  test('calls the host’s mayConnect hook', async () => {
    const { server } = openPlatform({
      platform: {
        ...PLATFORM,
        mayConnect: (request) => request.headers.has('x-signed-in'),
      },
    });
    assert.equal((await server.request('/oauth/start')).status, 403);
    const headers = { 'x-signed-in': 'yes' };
    assert.equal((await server.request('/oauth/start', { headers })).status, 303);
  });
});
