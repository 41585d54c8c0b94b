import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { ERROR_CODES, type ErrorEnvelope } from '@connect-embed/contract';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { startApi } from '../../test-support/app/start-api.ts';
import {
  attributesOf,
  inlineCodeIn,
  readDocument,
  textOf,
} from '../../test-support/browser/read-document.ts';
import type { OpenApi } from './document.ts';
import { GUIDES } from './guides.ts';
import { findSwaggerUi } from './swagger-ui.ts';

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
    const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)];
    assert.ok(references.length > 100);
    for (const [, pointer = ''] of references) {
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
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
    assert.doesNotMatch(policy, /unsafe-|https?:|\*|blob:/);
    const html = await page.text();
    assert.ok(!html.includes('[object '));
    const document = readDocument(html);
    assert.deepEqual(inlineCodeIn(document), []);
    assert.equal(document.querySelector('script:not([src^="/docs/"])'), null);
    const addresses = ['href', 'src'].flatMap((name) => attributesOf(document, `[${name}]`, name));
    for (const address of addresses) {
      if (/^(?:data:|#)/.test(address)) continue;
      const file = await app.request(address);
      assert.equal(file.status, 200, address);
      if (!/\.(?:css|js)$/.test(address)) continue;
      assert.match(file.headers.get('cache-control') ?? '', /immutable/, address);
    }
  });

  test('serves Swagger UI compressed, and no other file of the package', async () => {
    const { version } = findSwaggerUi()!;
    const script = await app.request(`/docs/swagger-ui/${version}/swagger-ui-bundle.js`);
    assert.equal(script.headers.get('content-encoding'), 'gzip');
    assert.match(gunzipSync(await script.arrayBuffer()).toString(), /SwaggerUIBundle/);
    const style = await app.request(`/docs/swagger-ui/${version}/swagger-ui.css`);
    assert.match(style.headers.get('content-type') ?? '', /^text\/css/);
    for (const path of [
      '0.0.0/swagger-ui.css',
      `${version}/swagger-ui-bundle.js.map`,
      `${version}/package.json`,
      `${version}/toString`,
      `${version}/..%2F..%2Fpackage.json`,
    ]) {
      assert.equal((await app.request(`/docs/swagger-ui/${path}`)).status, 404, path);
    }
  });

  test('links every operation', async () => {
    const document = readDocument(await (await app.request('/docs')).text());
    const links = attributesOf(document, '#contents a', 'href');
    for (const { operation } of operations) {
      const [tag] = operation.tags;
      assert.ok(links.includes(`/docs#/${tag}/${operation.operationId}`), operation.operationId);
    }
  });
});

describe('GET /docs/guides/{name}', () => {
  for (const [name, title] of Object.entries(GUIDES)) {
    test(`shows ${title} without scripts, and each of its links leads somewhere`, async () => {
      const response = await app.request(`/docs/guides/${name}`);
      assert.equal(response.status, 200);
      const html = await response.text();
      assert.ok(!html.includes('[object '));
      const document = readDocument(html);
      assert.equal(document.querySelector('script'), null);
      assert.equal(textOf(document, '[aria-current=page]'), title);
      for (const address of attributesOf(document, 'main a', 'href')) {
        if (address.startsWith('https:')) continue;
        const { pathname, hash } = new URL(address, api.servers[0]!.url);
        const target = hash && !address.startsWith('#') ? await app.request(pathname) : undefined;
        const page = target ? readDocument(await target.text()) : document;
        if (hash) assert.ok(page.querySelector(hash), address);
        else assert.equal((await app.request(pathname)).status, 200, address);
      }
    });
  }

  test('contains the URL of this API', async () => {
    const page = await (await app.request('/docs/guides/oauth')).text();
    assert.ok(page.includes(new URL(api.servers[0]!.url).origin));
  });

  test('does not exist for another name', async () => {
    for (const name of ['README', 'none', '..%2Foperations']) {
      assert.equal((await app.request(`/docs/guides/${name}`)).status, 404, name);
    }
  });
});

test('GET /docs/errors explains every code at its anchor, without scripts', async () => {
  const response = await app.request('/docs/errors');
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-security-policy') ?? '', /^default-src 'none'/);
  const html = await response.text();
  assert.ok(!html.includes('[object '));
  const document = readDocument(html);
  assert.equal(document.querySelector('script'), null);
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
