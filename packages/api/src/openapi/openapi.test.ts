import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { ERROR_CODES, type ErrorEnvelope } from '@connect-embed/contract';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { startApi } from '../../test-support/app/start-api.ts';
import { attributesOf, readDocument } from '../../test-support/browser/read-document.ts';
import type { OpenApi } from './document.ts';
import { findScalar } from './scalar.ts';

const { app } = await startApi();
const response = await app.request('/api/v1/openapi.json');
const text = await response.text();
const api = JSON.parse(text) as OpenApi;
const { schemas } = api.components;

const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    operation,
  })),
);

describe('the OpenAPI document', () => {
  test('needs no token and allows every origin', () => {
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
  });

  test('has no problem in Redocly', async () => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      rules: {
        // In development the server URL is localhost.
        'no-server-example.com': 'off',
        'array-parameter-serialization': 'error',
        'info-contact': 'error',
        'no-duplicated-tag-names': 'error',
        'no-invalid-media-type-examples': 'error',
        'no-invalid-parameter-examples': 'error',
        'no-invalid-schema-examples': 'error',
        'no-mixed-number-range-constraints': 'error',
        'no-path-trailing-slash': 'error',
        'no-required-schema-properties-undefined': 'error',
        'operation-description': 'error',
        'operation-operationId': 'error',
        'operation-singular-tag': 'error',
        'operation-tag-defined': 'error',
        'parameter-description': 'error',
      },
    });
    const problems = await lintFromString({ source: text, config });
    assert.deepEqual(
      problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
      [],
    );
  });

  test('has a description, a tag for every operation, and items for every array', () => {
    assert.ok(api.info.description);
    for (const { name, operation } of operations) assert.ok(operation.tags.length > 0, name);
    JSON.parse(text, (_key, value: { type?: unknown; items?: unknown } | null) => {
      if (value?.type === 'array') assert.ok(value.items, JSON.stringify(value));
      return value;
    });
  });

  test('lists no value of an enum twice', () => {
    JSON.parse(text, (key, value: unknown) => {
      if (key === 'enum' && Array.isArray(value)) {
        assert.equal(new Set(value).size, value.length, `enum of ${value.join(', ')}`);
      }
      return value;
    });
  });

  describe('has patterns that other languages can compile', () => {
    const patterns = new Set<string>();
    JSON.parse(text, (key, value: unknown) => {
      if (key === 'pattern' && typeof value === 'string') patterns.add(value);
      return value;
    });

    test('without escapes that only some languages know', () => {
      assert.ok(patterns.size > 5);
      // `\p{Cc}` and `\u{2800}` are JavaScript's with a flag, `\d` and `\w` are everybody's.
      for (const pattern of patterns)
        assert.doesNotMatch(pattern, /\\p\{|\\P\{|\\u\{|\(\?<[a-zA-Z]/);
    });

    const isInstalled = spawnSync('python3', ['--version']).status === 0;
    test('such as Python', { skip: !isInstalled && 'python3 is not installed.' }, () => {
      const program = 'import json, re, sys\nfor text in json.load(sys.stdin): re.compile(text)';
      const input = JSON.stringify([...patterns]);
      const { stderr } = spawnSync('python3', ['-c', program], { input, encoding: 'utf8' });
      assert.equal(stderr, '');
    });
  });

  test('has no script in its Markdown', () => {
    assert.doesNotMatch(text, /<script|eval\(/i);
  });

  test('describes exactly the routes of the API', () => {
    const routes = app.routes
      .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api/v1/'))
      .map(({ method, path }) => `${method} ${path.slice('/api/v1'.length)}`)
      .filter((name) => name !== 'GET /openapi.json')
      .map((name) => name.replace(/:(\w+)/g, '{$1}'));
    assert.deepEqual(operations.map(({ name }) => name).sort(), [...new Set(routes)].sort());
  });

  test('contains every schema and response that it references', () => {
    for (const [, pointer = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      let found: unknown = api;
      for (const part of pointer.split('/')) found = (found as Record<string, unknown>)[part];
      assert.ok(found, pointer);
    }
  });
});

describe('every schema', () => {
  for (const [name, { properties = {} }] of Object.entries(schemas)) {
    test(`${name} describes each field`, () => {
      for (const [field, schema] of Object.entries(properties)) {
        assert.ok(schema['description'], field);
      }
    });
  }
});

test('the document does not mention the API specification or internal decisions', () => {
  assert.doesNotMatch(text, /additive|beyond the spec|not in the spec|docs\/decisions/i);
});

describe('GET /docs', () => {
  test('is a page without inline scripts, under a policy that allows our origin only', async () => {
    const page = await app.request('/docs');
    assert.equal(page.status, 200);
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(
      policy,
      /^default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'/,
    );
    assert.doesNotMatch(policy, /unsafe-eval|https?:|\*|blob:/);
    const html = await page.text();
    assert.doesNotMatch(html, /<script(?![^>]* src="\/docs\/)|style=|\[object /);
    const document = readDocument(html);
    const addresses = ['href', 'src', 'data-scalar'].flatMap((name) =>
      attributesOf(document, `[${name}]`, name),
    );
    for (const address of addresses) {
      if (address.startsWith('data:')) continue;
      const file = await app.request(address);
      assert.equal(file.status, 200, address);
      if (!/\.(?:css|js)$/.test(address)) continue;
      assert.match(file.headers.get('cache-control') ?? '', /immutable/, address);
    }
  });

  test('serves the browser build compressed, and no other file of the package', async () => {
    const { version } = findScalar()!;
    const module = await app.request(`/docs/scalar/${version}/standalone.esm.js`);
    assert.equal(module.headers.get('content-encoding'), 'gzip');
    assert.match(gunzipSync(await module.arrayBuffer()).toString(), /createApiReference/);
    for (const path of [
      '0.0.0/standalone.esm.js',
      `${version}/standalone.esm.js.map`,
      `${version}/chunks/none.js`,
      `${version}/chunks/..%2F..%2F..%2Fpackage.json`,
      `${version}/..%2F..%2Fpackage.json`,
    ]) {
      assert.equal((await app.request(`/docs/scalar/${path}`)).status, 404, path);
    }
  });

  test('draws the OpenAPI document with the guides as its description', async () => {
    const { info, ...reference } = (await (
      await app.request('/docs/reference.json')
    ).json()) as OpenApi;
    const { info: short, ...rest } = api;
    assert.deepEqual(reference, rest);
    assert.equal(info.title, short.title);
    assert.match(info.description, /^## Send the first request[^]*^# Webhooks/m);
  });
});

test('GET /docs/errors explains every code at its anchor, without scripts', async () => {
  const response = await app.request('/docs/errors');
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-security-policy') ?? '', /^default-src 'none'/);
  const html = await response.text();
  assert.doesNotMatch(html, /<script|\[object /);
  const document = readDocument(html);
  for (const code of Object.values(ERROR_CODES).flatMap((codes) => Object.keys(codes))) {
    assert.equal(document.querySelectorAll(`#${code}`).length, 1, code);
  }
});

test('the doc_url of an error leads to its explanation', async () => {
  const { error } = (await (await app.request('/api/v1/donations')).json()) as ErrorEnvelope;
  const { origin, pathname, hash } = new URL(error.doc_url!);
  assert.equal(origin, new URL(api.servers[0]!.url).origin);
  const document = readDocument(await (await app.request(pathname)).text());
  assert.ok(document.querySelector(hash), hash);
});
