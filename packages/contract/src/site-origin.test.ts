import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SiteOrigin } from './embed-session.ts';
import {
  findSharedDomain,
  frameAncestors,
  isWildcardOrigin,
  originMatcher,
} from './site-origin.ts';

describe('https://*.example.org', () => {
  const matches = originMatcher(['https://*.example.org', 'https://shop.example.net']);

  for (const origin of [
    'https://www.example.org',
    'https://a.b.example.org',
    'https://xn--bcher-kva.example.org',
    'https://shop.example.net',
  ]) {
    test(`allows ${origin}`, () => assert.equal(matches(origin), true));
  }

  for (const origin of [
    'https://example.org',
    'http://www.example.org',
    'https://www.example.org:8443',
    'https://evil-example.org',
    'https://evilexample.org',
    'https://www.example.org.evil.net',
    'https://.example.org',
    'https://a..example.org',
    'https://*.example.org',
    'https://evil.net/.example.org',
    'https://user@www.example.org',
    'https://evil.net#.example.org',
    'https://WWW.example.org',
    'https://www.shop.example.net',
    'null',
    '',
  ]) {
    test(`does not allow "${origin}"`, () => assert.equal(matches(origin), false));
  }

  test('matches the port if it has one', () => {
    const withPort = originMatcher(['https://*.example.org:8443']);
    assert.equal(withPort('https://a.example.org:8443'), true);
    assert.equal(withPort('https://a.example.org'), false);
  });
});

describe('an entry with an asterisk', () => {
  for (const [entry, isValid] of [
    ['https://*.example.org', true],
    ['https://*.giving.example.org:8443', true],
    ['https://*', false],
    ['https://*.org', false],
    ['https://*example.org', false],
    ['https://a.*.example.org', false],
    ['https://*.*.example.org', false],
    ['http://*.example.org', false],
    ['https://*.example.org/', false],
    ['https://*.example.org;script-src', false],
    ['https://*.0.0.1', false],
  ] as const) {
    test(`${entry} is ${isValid ? 'valid' : 'rejected'}`, () => {
      assert.equal(isWildcardOrigin(entry), isValid);
      assert.equal(SiteOrigin.safeParse(entry).success, isValid);
    });
  }
});

describe('a wildcard on a domain that is shared', () => {
  for (const [domain, owner] of [
    ['co.uk', 'registry'],
    ['com.au', 'registry'],
    ['kawasaki.jp', 'registry'],
    ['harbor.kawasaki.jp', 'registry'],
    ['xn--55qx5d.cn', 'registry'],
    ['co.uk:8443', 'registry'],
    ['herokuapp.com', 'provider'],
    ['workers.dev', 'provider'],
    ['github.io', 'provider'],
    ['uk.com', 'provider'],
    ['compute.amazonaws.com', 'provider'],
    ['us-east-1.compute.amazonaws.com', 'provider'],
    ['s3.us-east-1.amazonaws.com', 'provider'],
    ['amazonaws.com', 'provider'],
    ['squarespace.com', 'provider'],
    ['core.windows.net', 'provider'],
    ['z1.web.core.windows.net', 'provider'],
    ['weebly.com', 'provider'],
  ] as const) {
    test(`https://*.${domain} is refused`, () => {
      const entry = `https://*.${domain}`;
      assert.equal(findSharedDomain(entry)?.owner, owner);
      const [issue] = SiteOrigin.safeParse(entry).error!.issues;
      assert.match(issue!.message, /must not allow every website/);
      assert.ok(SiteOrigin.safeParse(entry.replace('*', 'www')).success, 'one website is accepted');
    });
  }

  for (const domain of [
    'example.co.uk',
    'harbor.herokuapp.com',
    'city.kawasaki.jp',
    'intranet.local',
    'a.b.example.org',
  ]) {
    test(`https://*.${domain} is accepted`, () =>
      assert.ok(SiteOrigin.safeParse(`https://*.${domain}`).success));
  }
});

describe('frameAncestors', () => {
  const many = Array.from(
    { length: 100 },
    (_, index) => `https://site-${index}.a-long-name.example`,
  );

  test('names all sites of a short list, and none of an empty list', () => {
    assert.equal(
      frameAncestors(['https://a.example', 'https://*.b.example'], undefined),
      'https://a.example https://*.b.example',
    );
    assert.equal(frameAncestors([], 'https://a.example/'), "'none'");
  });

  test('shortens a long list, and keeps the site that frames the page', () => {
    const ancestors = frameAncestors(many, 'https://site-99.a-long-name.example/page?a=1');
    assert.ok(ancestors.length <= 2500);
    assert.ok(ancestors.startsWith('https://site-99.a-long-name.example https://site-0.'));
  });

  test('does not add a site that is not on a long list', () => {
    for (const referrer of [
      'https://evil.example/',
      'https://a.example; script-src *',
      'about:blank',
    ])
      assert.ok(frameAncestors(many, referrer).startsWith('https://site-0.'));
  });
});
