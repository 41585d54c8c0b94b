import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  attributesOf,
  readDocument,
  textOf,
  textsOf,
} from '@connect-embed/api/test-support/browser/read-document';
import { formOf } from '@connect-embed/server/test-support/dashboard-form';
import { openServer } from '@connect-embed/server/test-support/embedding-page';
import { errorResponse, startUpstream } from '@connect-embed/server/test-support/upstream';
import { givingPages } from './index.ts';

let clock = Date.parse('2026-03-01T12:00:00Z');
const now = () => clock;
const upstream = await startUpstream({ now });

const PUBLIC_URL = 'https://give.example.org';
const HOSTILE = '"><script>alert(1)</script><b title=\'&';
const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47);

const drawn: string[] = [];
const drawShareImage = ({
  organization,
  title,
}: {
  organization: string;
  title: string | null;
}) => {
  drawn.push(`${organization}: ${title}`);
  return Promise.resolve(PNG);
};

const openTestServer = (config = {}) =>
  openServer(
    upstream.apiBase,
    { now, publicUrl: PUBLIC_URL, ...config },
    givingPages({ drawShareImage }),
  ).server;

async function openPage(
  path: string,
  {
    server = openTestServer(),
    headers = {},
  }: { server?: ReturnType<typeof openTestServer>; headers?: object } = {},
) {
  const response = await server.request(path, { headers: { ...headers } });
  const text = await response.text();
  const document = readDocument(text);
  const meta = (name: string) =>
    document
      .querySelector(`meta[name="${name}"], meta[property="${name}"]`)
      ?.getAttribute('content');
  return {
    response,
    text,
    document,
    meta,
    policy: response.headers.get('content-security-policy') ?? '',
  };
}

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

describe('GET /give/{form} of a live form', () => {
  test('shows the element of the form, and its title and description', async () => {
    const page = {
      title: 'A warm meal',
      description: 'One.\n\nTwo.',
      is_indexable: false,
      is_listed: false,
    };
    upstream.setForms([formOf('spring', { page })]);
    const { response, text, document } = await openPage('/give/spring');
    assert.equal(response.status, 200);
    assert.ok(document.querySelector('connect-donate[display="inline"][form="spring"]'));
    assert.ok(document.querySelector('script[type="module"][src="../connect.js"]'));
    assert.equal(textOf(document, 'h1'), 'A warm meal');
    assert.deepEqual(textsOf(document, 'h1 ~ p[dir="auto"]'), ['One.', 'Two.']);
    assert.equal(document.title, 'A warm meal · Harbor Street Food Bank');
    assert.ok(document.querySelector('a.brand[href="https://harborstreet.example/"]'));
    assert.doesNotMatch(text, /Name for members/);
  });

  test('has the tags that search engines and social networks read', async () => {
    const page = {
      title: 'A warm meal',
      description: 'For all.',
      is_indexable: true,
      is_listed: false,
    };
    upstream.setForms([formOf('spring', { page })]);
    const { document, meta } = await openPage('/give/spring?amount=50&utm_source=x');
    assert.deepEqual(attributesOf(document, 'link[rel="canonical"]', 'href'), [
      `${PUBLIC_URL}/give/spring`,
    ]);
    assert.equal(meta('robots'), 'index, follow');
    assert.equal(meta('description'), 'For all.');
    assert.equal(meta('og:title'), 'A warm meal');
    assert.equal(meta('og:url'), `${PUBLIC_URL}/give/spring`);
    assert.match(
      meta('og:image') ?? '',
      /^https:\/\/give\.example\.org\/give\/spring\/image\.png\?v=[\da-f]{16}$/,
    );
    assert.equal(meta('og:image:width'), '1200');
    assert.equal(meta('twitter:card'), 'summary_large_image');
    const json = document.querySelector('script[type="application/ld+json"]')?.textContent;
    assert.partialDeepStrictEqual(JSON.parse(json ?? '{}'), {
      '@type': 'DonateAction',
      recipient: { '@type': 'NGO', name: 'Harbor Street Food Bank' },
    });
  });

  test('is not for search engines unless the owner allows it', async () => {
    upstream.setForms([formOf('spring')]);
    const { document, meta } = await openPage('/give/spring');
    assert.equal(meta('robots'), 'noindex');
    assert.equal(document.querySelector('script[type="application/ld+json"]'), null);
    assert.equal(meta('og:title'), 'Give to Harbor Street Food Bank');
  });

  test('runs only our scripts and Stripe’s, and no site may frame it', async () => {
    upstream.setForms([formOf('spring')]);
    const { response, policy, document } = await openPage('/give/spring');
    assert.match(policy, /^default-src 'none'; script-src 'self' http:\/\/localhost:4300; /);
    assert.match(policy, /; img-src 'self' data: https:\/\/api\.example\.org; /);
    assert.match(policy, /; form-action 'none'; /);
    assert.match(policy, /; frame-ancestors 'none'$/);
    const [, nonce] = /style-src 'nonce-([\w-]+)'/.exec(policy) ?? [];
    assert.deepEqual(attributesOf(document, 'style', 'nonce'), [nonce]);
    const attributes = [...document.querySelectorAll('*')].flatMap((element) =>
      element.getAttributeNames(),
    );
    assert.deepEqual(
      attributes.filter((name) => name === 'style' || name.startsWith('on')),
      [],
    );
    assert.equal(response.headers.get('x-frame-options'), 'DENY');
    assert.equal(response.headers.get('referrer-policy'), 'strict-origin');
    assert.equal(response.headers.get('vary'), 'Accept-Language');
  });

  test('runs the script that this server names for its forms, whatever the API says', async () => {
    upstream.setScriptUrl('https://evil.example/stripe.js');
    upstream.setForms([formOf('spring')]);
    const { policy } = await openPage('/give/spring');
    assert.match(policy, /script-src 'self' https:\/\/js\.stripe\.com;/);
    assert.doesNotMatch(policy, /evil/);
  });

  test('allows the configured CAPTCHA', async () => {
    const humanCheck = { provider: 'hcaptcha', siteKey: 'k', secret: 's' } as const;
    const server = openTestServer({ guard: { humanCheck } });
    const { policy } = await openPage('/give/default', { server });
    for (const directive of ['script-src', 'connect-src', 'frame-src', 'style-src'])
      assert.match(policy, new RegExp(`${directive} [^;]*https://\\*\\.hcaptcha\\.com`));
  });

  test('escapes hostile names and texts', async () => {
    upstream.setOrganization({
      name: HOSTILE,
      website: 'javascript:alert(1)',
      contact_email: `a@b"><i>`,
    });
    const page = { title: HOSTILE, description: HOSTILE, is_indexable: true, is_listed: true };
    upstream.setForms([formOf('spring', { page }), formOf('old', { page, status: 'closed' })]);
    const server = openTestServer();
    for (const slug of ['spring', 'old', 'none']) {
      const { document } = await openPage(`/give/${slug}?amount=${encodeURIComponent(HOSTILE)}`, {
        server,
      });
      assert.equal(document.querySelector('script:not([type]), b, i, [href^="javascript:"]'), null);
    }
  });

  test('is in the language of the visitor', async () => {
    upstream.setForms([formOf('spring')]);
    const { document } = await openPage('/give/spring', {
      headers: { 'accept-language': 'pl, he-IL;q=0.9' },
    });
    assert.ok(document.querySelector('html[lang="he-IL"][dir="rtl"]'));
    assert.equal(document.title, 'תרומה ל־\u2068Harbor Street Food Bank\u2069');
  });

  test('says to visitors without JavaScript how to reach the organization', async () => {
    upstream.setForms([formOf('spring')]);
    const { document } = await openPage('/give/spring');
    assert.deepEqual(textsOf(document, 'noscript h2'), [
      'This form needs JavaScript',
      'Contact Harbor Street Food Bank',
    ]);
    assert.deepEqual(attributesOf(document, 'noscript a', 'href'), [
      'https://harborstreet.example/',
      'mailto:hello@harborstreet.example',
    ]);
  });

  test('costs one API request more than an embedded form, however often it is viewed', async () => {
    upstream.setForms([formOf('spring')]);
    const server = openTestServer();
    for (let view = 0; view < 100; view += 1) await openPage('/give/spring', { server });
    assert.deepEqual(upstream.calls.map(({ path }) => path.slice(7)).sort(), [
      '/embed-sessions',
      '/forms',
      '/organization',
    ]);
    clock += 60_000;
    await openPage('/give/spring', { server });
    const repeated = upstream.calls.slice(3);
    assert.deepEqual(repeated.map(({ path }) => path.slice(7)).sort(), ['/forms', '/organization']);
    assert.ok(repeated.every(({ headers }) => headers['if-none-match']));
  });

  test('lets its own form open a session, without naming the address in `origins`', async () => {
    upstream.setForms([formOf('spring')]);
    const server = openTestServer({ origins: [] });
    const init = { method: 'POST', headers: { origin: PUBLIC_URL } };
    assert.equal((await server.request('/embed-sessions?form=spring', init)).status, 201);
    const other = { method: 'POST', headers: { origin: 'https://other.example' } };
    assert.equal((await server.request('/embed-sessions?form=spring', other)).status, 403);
    const [{ body } = { body: {} }] = upstream.callsOf('/embed-sessions');
    assert.deepEqual((body as { origins: string[] }).origins, [PUBLIC_URL]);
  });
});

describe('a link that selects values', () => {
  const terms = {
    frequencies: ['one_time', 'monthly'] as ['one_time', 'monthly'],
    min_amount_cents: 500,
    fund_choice_ids: ['fund_meals'],
  };
  const locked = { amount_locked: true, preset_amounts_cents: [5000] };
  const server = openTestServer({ forms: { open: terms, locked } });
  const selectionOf = async (path: string) => {
    const element = (await openPage(path, { server })).document.querySelector('connect-donate')!;
    const names = element.getAttributeNames().filter((name) => !['display', 'form'].includes(name));
    return names.map((name) => `${name}="${element.getAttribute(name)}"`).join(' ');
  };

  for (const [path, attributes] of [
    ['open?amount=50&frequency=monthly', 'amount="50" frequency="monthly"'],
    ['open?amount=12.50', 'amount="12.50"'],
    ['open?amount=4&frequency=yearly&fund=none', ''],
    ['open?amount=1e3', ''],
    ['open?amount=12.505', ''],
    ['open?amount=-5', ''],
    ['open?amount=%22%20onload=x', ''],
    ['open?donor_email=a@b.example&amount_cents=5000', ''],
    ['locked?amount=50', 'amount="50"'],
    ['locked?amount=60', ''],
  ] as const) {
    test(`${path} selects ${attributes || 'nothing'}`, async () => {
      assert.equal(await selectionOf(`/give/${path}`), attributes);
    });
  }
});

describe('GET /give/{form} without a form to show', () => {
  test('names a way forward if the form is closed', async () => {
    const listed = {
      title: 'Warm meals',
      is_listed: true,
      is_indexable: true,
    };
    upstream.setForms([
      formOf('old', { status: 'closed', page: { ...listed, title: 'The old roof' } }),
      formOf('meals', { page: listed }),
      formOf('private'),
      formOf('draft', { status: 'draft', version: null, page: listed }),
    ]);
    const { response, document, meta } = await openPage('/give/old');
    assert.equal(response.status, 200);
    assert.equal(meta('robots'), 'noindex');
    assert.equal(textOf(document, 'h1'), 'The old roof');
    assert.equal(textOf(document, 'h2'), 'This form is closed');
    assert.equal(textOf(document, 'a[href="meals"]'), 'Warm meals');
    assert.equal(document.querySelector('[href="private"], [href="draft"], connect-donate'), null);
    assert.ok(document.querySelector('main a[href="mailto:hello@harborstreet.example"]'));
    assert.ok(meta('og:image'));
  });

  test('says that the campaign has ended', async () => {
    upstream.setForms([formOf('winter', { page: { title: 'A warm winter' } })]);
    upstream.failWith(({ path }) =>
      path.endsWith('/embed-sessions')
        ? errorResponse(
            404,
            'not_found',
            'This campaign has ended.',
            {},
            { code: 'campaign_ended' },
          )
        : undefined,
    );
    const { response, document } = await openPage('/give/winter');
    assert.equal(response.status, 200);
    assert.equal(textOf(document, 'h1'), 'A warm winter');
    assert.match(textOf(document, 'h2') ?? '', /This campaign has ended/);
    assert.equal(document.querySelector('connect-donate'), null);
  });

  test('is 404 with the name of the organization, and costs no session', async () => {
    const server = openTestServer();
    for (const slug of ['nothing', 'a b', '%22%3E', 'x'.repeat(300)]) {
      const { response, document, meta } = await openPage(`/give/${slug}`, { server });
      assert.equal(response.status, 404);
      assert.equal(textOf(document, 'h1'), 'Donation page not found');
      assert.equal(textOf(document, 'header .name'), 'Harbor Street Food Bank');
      assert.equal(meta('robots'), 'noindex');
      assert.equal(document.querySelector('link[rel="canonical"]'), null);
    }
    assert.equal(upstream.callsOf('/embed-sessions').length, 0);
  });

  test('is 503 while the API is unavailable, still with the name of the organization', async () => {
    const server = openTestServer();
    await openPage('/give/nothing', { server });
    upstream.failWith(() => errorResponse(503, 'unavailable', 'down'));
    clock += 120_000;
    const { response, document } = await openPage('/give/default', { server });
    assert.equal(response.status, 503);
    assert.ok(response.headers.get('retry-after'));
    assert.match(textOf(document, 'h1') ?? '', /not available right now/);
    assert.equal(textOf(document, 'header .name'), 'Harbor Street Food Bank');
  });

  test('is 503 without a name if the API was never reached', async () => {
    upstream.failWith(() => errorResponse(503, 'unavailable', 'down'));
    const { response, document } = await openPage('/give/default');
    assert.equal(response.status, 503);
    assert.match(textOf(document, 'h1') ?? '', /not available right now/);
  });

  test('redirects an address with a slash at the end', async () => {
    const response = await openTestServer().request('/give/spring/?amount=50');
    assert.deepEqual(
      [response.status, response.headers.get('location')],
      [301, '../spring?amount=50'],
    );
  });

  test('allows GET and HEAD only', async () => {
    const response = await openTestServer().request('/give/default', { method: 'POST' });
    assert.equal(response.status, 405);
    assert.equal(response.headers.get('allow'), 'GET, HEAD');
  });
});

describe('GET /give/{form}/image.png', () => {
  test('is drawn once, and validated with its ETag', async () => {
    const page = { title: 'A warm meal' };
    upstream.setForms([formOf('spring', { page }), formOf('old', { status: 'closed', page })]);
    const server = openTestServer();
    drawn.length = 0;
    const responses = await Promise.all(
      [1, 2, 3].map(async () => await server.request('/give/spring/image.png')),
    );
    const [first] = responses;
    assert.equal(first!.headers.get('content-type'), 'image/png');
    assert.equal(first!.headers.get('cache-control'), 'public, max-age=300');
    assert.equal(first!.headers.get('cross-origin-resource-policy'), 'cross-origin');
    assert.deepEqual(await bytesOf(first!), PNG);
    const headers = { 'if-none-match': first!.headers.get('etag')! };
    assert.equal((await server.request('/give/spring/image.png', { headers })).status, 304);
    assert.deepEqual(drawn, ['Harbor Street Food Bank: A warm meal']);
    assert.equal((await server.request('/give/old/image.png')).status, 200);
    assert.equal((await server.request('/give/none/image.png')).status, 404);
  });

  test('is drawn again when its title changes', async () => {
    upstream.setForms([formOf('spring')]);
    const server = openTestServer();
    const tagOf = async () => (await server.request('/give/spring/image.png')).headers.get('etag');
    const before = await tagOf();
    upstream.setForms([formOf('spring', { page: { title: 'New' } })]);
    clock += 60_000;
    assert.notEqual(await tagOf(), before);
  });
});

describe('picture, story and organization of a page', () => {
  const picture = {
    url: `${upstream.apiBase}/logo.png?hash=a1`,
    width: 1280,
    height: 853,
    alt: HOSTILE,
  };

  test('the picture is loaded from the API once, and served as WebP only', async () => {
    upstream.setForms([formOf('spring', { page: { picture } })]);
    upstream.setLogo(PNG, 'image/webp');
    const server = openTestServer();
    const { document } = await openPage('/give/spring', { server });
    const image = document.querySelector('main img')!;
    assert.deepEqual(
      ['width', 'height', 'alt'].map((name) => image.getAttribute(name)),
      ['1280', '853', HOSTILE],
    );
    const address = new URL(image.getAttribute('src')!, 'https://give.example/give/spring');
    assert.equal(address.pathname, '/give/spring/picture.webp');
    for (let request = 0; request < 3; request += 1) {
      const response = await server.request(address.pathname + address.search);
      assert.equal(response.headers.get('content-type'), 'image/webp');
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
      assert.deepEqual(await bytesOf(response), PNG);
    }
    assert.equal(upstream.callsOf('/logo.png').length, 1);
  });

  test('a picture of another type is not served, nor is one of a page without', async () => {
    upstream.setForms([formOf('spring', { page: { picture } }), formOf('plain')]);
    upstream.setLogo(PNG, 'text/html');
    const server = openTestServer();
    for (const form of ['spring', 'plain', 'unknown'])
      assert.equal((await server.request(`/give/${form}/picture.webp`)).status, 404, form);
  });

  test('the story has paragraphs, and links to web addresses only', async () => {
    const story = [
      'Read <b>more</b>: https://example.org/a_(b)?c=1&d=2, or (http://example.org/x).',
      'javascript:alert(1) ftp://example.org www.example.org https:// "https://example.org/"><i>',
    ].join('\n\n');
    upstream.setForms([formOf('spring', { page: { story } })]);
    const { document } = await openPage('/give/spring');
    assert.deepEqual(
      textsOf(document, '.story p').join('\n\n'),
      story.replaceAll(/https?:\/\/(?=ex)/g, ''),
    );
    assert.deepEqual(attributesOf(document, '.story a', 'href'), [
      'https://example.org/a_(b)?c=1&d=2',
      'http://example.org/x',
      'https://example.org/',
    ]);
    assert.equal(document.querySelector('.story :is(b, i)'), null);
  });

  test('the page says who receives the donation, as far as the organization says so', async () => {
    upstream.setForms([formOf('spring')]);
    const name = 'Harbor Street Food Bank';
    upstream.setOrganization({ name, legal_name: 'Harbor Street, Inc.', tax_id: '12-3456789' });
    const { document } = await openPage('/give/spring');
    assert.equal(textOf(document, '.trust h2'), 'Harbor Street, Inc.');
    assert.equal(textOf(document, '.trust p'), 'Tax ID: 12-3456789');
    assert.match(textOf(document, 'footer')!, /for Harbor Street Food Bank\.$/);
    upstream.setOrganization({ name });
    const other = await openPage('/give/spring');
    assert.equal(textOf(other.document, '.trust h2'), 'Harbor Street Food Bank');
    assert.equal(other.document.querySelector('.trust :is(p, a)'), null);
  });

  test('the goal that the form shows stands beside it, and without the setting nowhere', async () => {
    const terms = { campaign_id: 'camp_winter' };
    const server = openTestServer({
      forms: { winter: { ...terms, show_goal: true }, quiet: terms },
    });
    const { document } = await openPage('/give/winter', { server });
    assert.ok(document.querySelector('connect-goal[campaign="camp_winter"]'));
    const quiet = await openPage('/give/quiet', { server });
    assert.equal(quiet.document.querySelector('connect-goal'), null);
  });
});

describe('GET /organization-logo', () => {
  const logo_url = `${upstream.apiBase}/logo.png`;

  test('is the logo of the organization, loaded once, and shown on pages', async () => {
    upstream.setOrganization({ name: 'Harbor Street', logo_url });
    upstream.setLogo(PNG);
    upstream.setForms([formOf('spring')]);
    const server = openTestServer();
    for (let request = 0; request < 3; request += 1) {
      const response = await server.request('/organization-logo');
      assert.equal(response.headers.get('content-type'), 'image/png');
      assert.deepEqual(await bytesOf(response), PNG);
    }
    assert.equal(upstream.callsOf('/logo.png').length, 1);
    assert.equal(upstream.callsOf('/logo.png')[0]!.headers['authorization'], undefined);
    const { document } = await openPage('/give/spring', { server });
    assert.ok(document.querySelector('img.logo[src="../organization-logo"][alt=""]'));
  });

  test('is loaded from the address at which this server reaches the API', async () => {
    const publicUrl = 'https://api.example.org/api/v1/logo.png?hash=1';
    upstream.setOrganization({ name: 'Harbor Street', logo_url: publicUrl });
    upstream.setLogo(PNG);
    assert.equal((await openTestServer().request('/organization-logo')).status, 200);
  });

  test('is requested once a minute while it cannot be loaded', async () => {
    upstream.setOrganization({ name: 'Harbor Street', logo_url });
    upstream.setLogo(PNG, 'text/html');
    const server = openTestServer();
    for (const [waitMs, requests] of [
      [0, 1],
      [0, 1],
      [59_000, 1],
      [1000, 2],
    ] as const) {
      clock += waitMs;
      await server.request('/organization-logo');
      assert.equal(upstream.callsOf('/logo.png').length, requests);
    }
  });

  test('that cannot be loaded is replaced by the first letter of the name', async () => {
    upstream.setOrganization({ name: 'Harbor Street', logo_url });
    upstream.setLogo(PNG, 'text/html');
    upstream.setForms([formOf('spring')]);
    const server = openTestServer();
    const { document, meta } = await openPage('/give/spring', { server });
    assert.equal(textOf(document, '.initial[aria-hidden="true"]'), 'H');
    assert.equal(document.querySelector('img, link[rel="icon"][href*="organization-logo"]'), null);
    const image = await server.request('/give/spring/image.png');
    const [, version] = /\?v=(\w+)$/.exec(meta('og:image') ?? '') ?? [];
    assert.equal(image.headers.get('etag'), `"${version}"`);
    upstream.setLogo(PNG);
    clock += 60_000;
    const loaded = await openPage('/give/spring', { server });
    assert.ok(loaded.document.querySelector('img[src="../organization-logo"]'));
    assert.notEqual(loaded.meta('og:image'), meta('og:image'));
  });

  test('is 404 if there is none, or it is no image', async () => {
    assert.equal((await openTestServer().request('/organization-logo')).status, 404);
    upstream.setOrganization({ name: 'Harbor Street', logo_url });
    upstream.setLogo(PNG, 'text/html');
    assert.equal((await openTestServer().request('/organization-logo')).status, 404);
  });
});
