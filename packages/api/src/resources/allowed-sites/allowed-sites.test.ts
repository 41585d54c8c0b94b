import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  AllowedSite,
  listOf,
  type EmbedSession,
  type ErrorEnvelope,
} from '@connect-embed/contract';
import { OWNER, startOauth, VOLUNTEER } from '../../../test-support/app/start-oauth.ts';
import { textOf } from '../../../test-support/browser/read-document.ts';
import { parseSite } from './edit-sites.ts';

const { api, visitor } = await startOauth();
const { token } = await api.createKey();
const PAGE = '/dashboard/org_harbor/allowed-sites';

async function listOrigins(key = token) {
  const response = await api.get('/allowed-sites?limit=100', key);
  const { data } = listOf(AllowedSite.strict()).parse(await response.json());
  return data.map(({ origin }) => origin);
}

async function owner() {
  const person = visitor();
  await person.openAs(OWNER, PAGE);
  return person;
}

describe('parseSite', () => {
  for (const [text, origin] of [
    ['example.org', 'https://example.org'],
    [' HTTPS://Www.Example.org/give?a=1 ', 'https://www.example.org'],
    ['https://example.org:8443/', 'https://example.org:8443'],
    ['*.example.org', 'https://*.example.org'],
    ['https://*.example.org/blog', 'https://*.example.org'],
    ['localhost:3000', 'http://localhost:3000'],
    ['http://shop.localhost:3000/x', 'http://shop.localhost:3000'],
    ['bücher.example', 'https://xn--bcher-kva.example'],
  ] as const) {
    test(`reads ${text} as ${origin}`, () => assert.equal(parseSite(text), origin));
  }

  for (const [text, problem] of [
    ['http://example.org', /must start with https/],
    ['https://*', /must be a website/],
    ['https://*.org', /must be a website/],
    ['*.co.uk', /every website below co\.uk/],
    ['https://*.com.au:8443/give', /every website below com\.au/],
    ['ftp://example.org', /must be a website/],
    ['file:///home/ana/page.html', /must be a website/],
    ['https://exa mple.org', /must be a website/],
    ['https://example.org;script-src', /must be a website/],
    ['', /must be a website/],
  ] as const) {
    test(`rejects “${text}”`, () => assert.throws(() => parseSite(text), { message: problem }));
  }
});

describe('Allowed sites', () => {
  test('an owner adds and removes a website', async () => {
    const person = await owner();
    const page = await person.open(PAGE);
    const added = await person.send(page, PAGE, { origin: 'www.example.org/give' });
    assert.match(added.text, /https:\/\/www\.example\.org can show your forms within a minute/);
    assert.ok((await listOrigins()).includes('https://www.example.org'));
    const buttons = [...added.document.querySelectorAll(`form[action^="${PAGE}/site_"] button`)];
    const button = buttons.find(
      ({ textContent }) => textContent === 'Remove https://www.example.org',
    );
    const remove = button!.closest('form')!.getAttribute('action');
    assert.match(remove!, /\/site_\w+\/remove$/);
    const removed = await person.post(remove!, {});
    assert.match(removed.text, /https:\/\/www\.example\.org was removed/);
    assert.ok(!(await listOrigins()).includes('https://www.example.org'));
    assert.match((await person.post(remove!, {})).text, /not on the list any more/);
  });

  test('a website that is on the list already stays there once', async () => {
    const person = await owner();
    for (const origin of ['twice.example', 'https://twice.example/']) {
      await person.post(PAGE, { origin });
    }
    const origins = await listOrigins();
    assert.equal(origins.filter((origin) => origin === 'https://twice.example').length, 1);
  });

  test('an invalid website is rejected at its field, and stays there', async () => {
    const page = await (await owner()).post(PAGE, { origin: 'http://example.org' });
    assert.equal(page.status, 400);
    assert.match(textOf(page.document, '#origin-problem')!, /^Must start with https/);
    assert.ok(page.document.querySelector('[name="origin"][value="http://example.org"]'));
  });

  test('a wildcard on a domain of a provider is added once an owner confirms it', async () => {
    const person = await owner();
    assert.equal((await person.open(PAGE)).document.querySelector('[name="confirmed"]'), null);
    const rejected = await person.post(PAGE, { origin: '*.webflow.io' });
    assert.equal(rejected.status, 400);
    assert.match(rejected.text, /others have websites on webflow\.io too/);
    assert.ok(rejected.document.querySelector('[name="confirmed"]'));
    assert.ok(!(await listOrigins()).includes('https://*.webflow.io'));
    const added = await person.post(PAGE, { origin: '*.webflow.io', confirmed: 'on' });
    assert.match(added.text, /Allows every website on webflow\.io/);
    assert.ok((await listOrigins()).includes('https://*.webflow.io'));
  });

  test('a wildcard below which anybody can register a domain is never added', async () => {
    const page = await (await owner()).post(PAGE, { origin: '*.co.uk', confirmed: 'on' });
    assert.equal(page.status, 400);
    assert.match(
      textOf(page.document, '#origin-problem')!,
      /^Must not allow every website below co\.uk/,
    );
    assert.ok(!(await listOrigins()).includes('https://*.co.uk'));
  });

  for (const domain of ['co.uk', 'herokuapp.com']) {
    test(`an embed session cannot allow every website on ${domain}`, async () => {
      const origins = ['https://own.example', `https://*.${domain}`];
      const response = await api.post('/embed-sessions', token, { origins });
      assert.equal(response.status, 400);
      const { error } = (await response.json()) as ErrorEnvelope;
      assert.equal(error.param, 'origins.1');
      assert.match(error.message, new RegExp(`every website .* ${domain}`));
    });
  }

  test('the domain of a website is registered for wallets', async () => {
    await (await owner()).post(PAGE, { origin: 'wallet.example' });
    const domains = await api.db.selectFrom('payment_domain').select('domain').execute();
    assert.ok(domains.some(({ domain }) => domain === 'wallet.example'));
  });

  test('a website may frame the page of a form', async () => {
    await (await owner()).post(PAGE, { origin: 'frames.example' });
    const opened = await api.post('/embed-sessions', token, { origins: ['https://own.example'] });
    const { embed_url } = (await opened.json()) as EmbedSession;
    const page = await fetch(embed_url);
    const ancestors = /frame-ancestors ([^;]*)/.exec(
      page.headers.get('content-security-policy')!,
    )![1]!;
    assert.ok(ancestors.includes('https://own.example'));
    assert.ok(ancestors.includes('https://frames.example'));
  });

  test('belongs to one organization, and members cannot change it', async () => {
    await (await owner()).post(PAGE, { origin: 'ours.example' });
    const other = await api.createKey(['reference:read'], 'org_lantern');
    assert.deepEqual(await listOrigins(other.token), []);
    const member = visitor();
    assert.equal((await member.openAs(VOLUNTEER, PAGE)).status, 403);
    assert.equal((await member.post(PAGE, { origin: 'mine.example' })).status, 403);
  });
});
