import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { startApi } from '../../test-support/start-api.ts';
import type { OpenApi } from './document.ts';

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
        // The server URL is localhost in development; a deployment has its own.
        'no-server-example.com': 'off',
      },
    });
    const problems = await lintFromString({ source: text, config });
    assert.deepEqual(
      problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
      [],
    );
  });

  test('has no problem in Spectral', async () => {
    const linter = new spectral.Spectral();
    linter.setRuleset({
      // Spectral's own types are inconsistent here.
      extends: [[rulesets.oas as unknown as RulesetDefinition, 'all']],
      rules: {
        // A rule of OpenAPI 3.0. Since 3.1 a bearer scheme may list the required scopes.
        'oas3-operation-security-defined': 'off',
        // In 3.1 a license has either an identifier or a URL.
        'license-url': 'off',
        // There is no contact e-mail address; `/docs` is the contact URL.
        'contact-properties': 'off',
        // Tags are in order of importance.
        'openapi-tags-alphabetical': 'off',
      },
    });
    const problems = await linter.run(text);
    assert.deepEqual(
      problems.map(({ code, message, path }) => [code, message, path.join('/')]),
      [],
    );
  });

  test('describes every route, and no other', () => {
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

describe('GET /docs', () => {
  test('shows every operation and resource, without scripts and external files', async () => {
    const page = await app.request('/docs');
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    const html = await page.text();
    for (const { operation } of operations) {
      assert.ok(html.includes(`id="${operation.operationId}"`), operation.operationId);
    }
    for (const name of Object.keys(schemas)) assert.ok(html.includes(`id="schema-${name}"`), name);
    assert.doesNotMatch(html, /<script|style=|\[object /);
    for (const [, href = ''] of html.matchAll(/<link[^>]+href="([^"]+)"/g)) {
      if (href.startsWith('data:')) continue;
      assert.equal((await app.request(href)).status, 200, href);
    }
    for (const [, anchor] of html.matchAll(/href="#([^"]+)"/g)) {
      assert.ok(html.includes(`id="${anchor}"`), anchor);
    }
  });
});
