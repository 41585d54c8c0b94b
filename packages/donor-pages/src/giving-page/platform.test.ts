import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  readDocument,
  textOf,
  textsOf,
} from '@connect-embed/api/test-support/browser/read-document';
import { memoryTokenStore, type ConnectServer } from '@connect-embed/server';
import { Encrypter } from '@connect-embed/server/platform/encrypter';
import { formOf } from '@connect-embed/server/test-support/dashboard-form';
import { openServer, SESSION_SECRET } from '@connect-embed/server/test-support/embedding-page';
import { errorResponse, startUpstream } from '@connect-embed/server/test-support/upstream';
import { givingPages } from './index.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const now = () => NOW;
const upstream = await startUpstream({ now });

const PUBLIC_URL = 'https://platform.example.org';
const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47);

/** What the API sends to each connected organization, which it recognizes by its access token. */
const organizations = {
  org_harbor: {
    profile: { name: 'Harbor Street', logo_url: `${upstream.apiBase}/logo.png` },
    forms: [
      formOf('spring', { page: { title: 'A warm meal' } }),
      formOf('meals', { page: { title: 'Warm meals', is_listed: true } }),
      formOf('old', { page: { title: 'The old roof' }, status: 'closed' }),
    ],
  },
  org_lantern: {
    profile: { name: 'Lantern House', logo_url: null },
    forms: [
      formOf('spring', { page: { title: 'More light' } }),
      formOf('lamps', { page: { title: 'Lamps', is_listed: true } }),
    ],
  },
};
type OrganizationId = keyof typeof organizations;
const IDS = Object.keys(organizations) as OrganizationId[];
const tokenOf = (id: OrganizationId) => `token of ${id}`;

/** Makes the API respond with the data of the organization whose token a request has. */
function sendOwnData(fault?: Parameters<typeof upstream.failWith>[0]) {
  upstream.setForms(IDS.flatMap((id) => organizations[id].forms));
  upstream.setLogo(PNG);
  upstream.failWith((call) => {
    const failure = fault?.(call);
    if (failure) return failure;
    const id = IDS.find((each) => call.headers['authorization'] === `Bearer ${tokenOf(each)}`);
    const data = id && organizations[id];
    if (data && call.path.endsWith('/organization')) return Response.json(data.profile);
    if (data && call.path.endsWith('/forms'))
      return Response.json({ data: data.forms, has_more: false, next_cursor: null });
    return undefined;
  });
}

/** Opens the server of a platform to which both organizations are connected. */
async function openPlatform(config: Parameters<typeof openServer>[1] = {}) {
  const tokens = memoryTokenStore();
  const encrypter = new Encrypter(SESSION_SECRET, 'platform tokens');
  const accessExpiresAt = NOW + 3_600_000;
  for (const id of IDS) {
    const connection = {
      ...{ sub: id, accessToken: tokenOf(id), refreshToken: 'unused', accessExpiresAt },
    };
    await tokens.set(id, await encrypter.encrypt(connection, accessExpiresAt / 1000));
  }
  let reads = 0;
  const { server } = openServer(
    upstream.apiBase,
    {
      now,
      apiKey: undefined,
      origins: [],
      forms: {},
      publicUrl: PUBLIC_URL,
      platform: {
        clientId: 'client_1',
        clientSecret: 'client secret of this test',
        issuer: 'http://localhost:9',
        redirectUri: 'http://localhost:9/oauth/callback',
        afterUrl: 'https://platform.example.org/settings',
        tokens: { ...tokens, get: (id) => ((reads += 1), tokens.get(id)) },
      },
      ...config,
    },
    givingPages({ drawShareImage: () => Promise.resolve(PNG) }),
  );
  return {
    server,
    /** How often a request has looked for a connection. */
    readsOf: async (request: () => Response | Promise<Response>) => {
      const before = reads;
      await request();
      return reads - before;
    },
  };
}

async function openPage(server: ConnectServer, path: string) {
  const response = await server.request(path);
  return { response, document: readDocument(await response.text()) };
}

const authorizations = (path: string) =>
  upstream.callsOf(path).map(({ headers }) => headers['authorization']);

describe('GET /give/{organization}/{form} on a platform', () => {
  test('shows the form of each organization with its own name and title', async () => {
    sendOwnData();
    const { server } = await openPlatform();
    for (const [id, title] of [
      ['org_harbor', 'A warm meal · Harbor Street'],
      ['org_lantern', 'More light · Lantern House'],
    ]) {
      const { response, document } = await openPage(server, `/give/${id}/spring?amount=50`);
      assert.equal(response.status, 200);
      assert.equal(document.title, title);
      for (const selector of [
        `link[rel="canonical"][href="${PUBLIC_URL}/give/${id}/spring"]`,
        `connect-donate[form="${id}/spring"][amount="50"]`,
        'script[type="module"][src="../../connect.js"]',
      ])
        assert.ok(document.querySelector(selector), selector);
    }
  });

  test('costs two requests for each organization and one for each form, however often it is viewed', async () => {
    sendOwnData();
    const { server } = await openPlatform();
    for (let view = 0; view < 20; view += 1)
      for (const id of IDS) await openPage(server, `/give/${id}/spring`);
    for (const path of ['/forms', '/organization', '/embed-sessions'])
      assert.deepEqual(
        authorizations(path),
        IDS.map((id) => `Bearer ${tokenOf(id)}`),
        path,
      );
  });

  test('lets only its own origin open a session for the form', async () => {
    sendOwnData();
    const { server } = await openPlatform();
    const openFrom = async (origin: string) => {
      const init = { method: 'POST', headers: { origin } };
      return (await server.request('/embed-sessions?form=org_harbor/spring', init)).status;
    };
    assert.equal(await openFrom(PUBLIC_URL), 201);
    assert.equal(await openFrom('https://other.example'), 403);
    const [{ body } = { body: {} }] = upstream.callsOf('/embed-sessions');
    assert.deepEqual((body as { origins: string[] }).origins, [PUBLIC_URL]);
  });

  test('has the logo and the image of the organization', async () => {
    sendOwnData();
    const { server } = await openPlatform();
    const { document } = await openPage(server, '/give/org_harbor/spring');
    assert.ok(document.querySelector('img.logo[src="../../organization-logo/org_harbor"]'));
    const logo = await server.request('/organization-logo/org_harbor');
    assert.deepEqual(new Uint8Array(await logo.arrayBuffer()), PNG);
    const url = document.querySelector('meta[property="og:image"]')?.getAttribute('content') ?? '';
    assert.ok(url.startsWith(`${PUBLIC_URL}/give/org_harbor/spring/image.png?v=`), url);
    const image = await server.request(url.slice(PUBLIC_URL.length));
    assert.equal(image.headers.get('content-type'), 'image/png');
    assert.equal(image.headers.get('etag'), `"${url.split('?v=')[1]}"`);
    const post = await server.request('/give/org_harbor/spring/image.png', { method: 'POST' });
    assert.equal(post.headers.get('allow'), 'GET, HEAD');
    const withoutLogo = await openPage(server, '/give/org_lantern/spring');
    assert.equal(textOf(withoutLogo.document, '.initial[aria-hidden="true"]'), 'L');
    for (const path of ['/organization-logo/org_lantern', '/organization-logo'])
      assert.equal((await server.request(path)).status, 404, path);
  });

  test('refers to other forms of the same organization once it is closed', async () => {
    sendOwnData();
    const { server } = await openPlatform();
    const { response, document } = await openPage(server, '/give/org_harbor/old');
    assert.equal(response.status, 200);
    assert.equal(textOf(document, 'h1'), 'The old roof');
    assert.deepEqual(textsOf(document, '.note ul:first-of-type a'), ['Warm meals']);
  });

  test('has the name of the form’s session if the connection may not read the organization', async () => {
    sendOwnData(({ path }) =>
      path.endsWith('/organization')
        ? errorResponse(403, 'insufficient_scope', 'reference:read is missing.')
        : undefined,
    );
    const { server } = await openPlatform({ forms: { gala: { organization: 'org_harbor' } } });
    const { response, document } = await openPage(server, '/give/gala');
    assert.equal(response.status, 200);
    assert.equal(document.title, 'Give to Harbor Street Food Bank');
  });

  test('also shows name and logo on the page of a configured form', async () => {
    sendOwnData();
    const forms = { gala: { organization: 'org_harbor' } };
    const { server } = await openPlatform({ forms });
    const { document } = await openPage(server, '/give/gala');
    assert.equal(document.title, 'Give to Harbor Street');
    assert.ok(document.querySelector('img.logo[src="../organization-logo/org_harbor"]'));
  });

  test('redirects an address with a slash at the end', async () => {
    const { server } = await openPlatform();
    const response = await server.request('/give/org_harbor/spring/?amount=50');
    assert.deepEqual(
      [response.status, response.headers.get('location')],
      [301, '../spring?amount=50'],
    );
  });

  test('allows GET and HEAD only', async () => {
    const { server } = await openPlatform();
    const response = await server.request('/give/org_harbor/spring', { method: 'POST' });
    assert.equal(response.status, 405);
    assert.equal(response.headers.get('allow'), 'GET, HEAD');
  });
});

describe('GET /give/{organization}/{form} of no form', () => {
  test('is 404 for an unknown form of a connected organization, with its name', async () => {
    sendOwnData();
    const { server } = await openPlatform();
    const { response, document } = await openPage(server, '/give/org_harbor/lamps');
    assert.equal(response.status, 404);
    assert.equal(textOf(document, 'header .name'), 'Harbor Street');
    assert.equal((await server.request('/give/org_harbor/lamps/image.png')).status, 404);
  });

  test('is 404 for other organizations, and costs no API request', async () => {
    sendOwnData();
    const { server } = await openPlatform();
    for (const path of [
      'org_other/spring',
      'a%20b/spring',
      '%22%3E/spring',
      'org_harbor%2Fspring',
    ]) {
      const { response, document } = await openPage(server, `/give/${path}`);
      assert.equal(response.status, 404, path);
      assert.equal(textOf(document, 'h1'), 'Donation page not found');
      assert.equal(document.querySelector('link[rel="canonical"], connect-donate'), null);
      assert.equal((await server.request(`/give/${path}/image.png`)).status, 404, path);
    }
    assert.equal((await server.request('/organization-logo/org_other')).status, 404);
    assert.deepEqual(upstream.calls, []);
  });

  test('looks for a connection of the organization as often as an embedded form', async () => {
    const { server, readsOf } = await openPlatform();
    const init = { method: 'POST', headers: { origin: PUBLIC_URL } };
    const embedded = () => server.request('/embed-sessions?form=org_other/spring', init);
    const page = () => server.request('/give/org_other/spring');
    assert.equal(await readsOf(embedded), 1);
    assert.equal(await readsOf(page), 1);
  });

  test('is 404 on a server without a platform, with the name of its organization', async () => {
    const { server } = openServer(upstream.apiBase, { now, publicUrl: PUBLIC_URL }, givingPages());
    upstream.setForms([formOf('spring')]);
    const { response, document } = await openPage(server, '/give/org_harbor/spring');
    assert.equal(response.status, 404);
    assert.equal(textOf(document, 'header .name'), 'Harbor Street Food Bank');
  });
});
