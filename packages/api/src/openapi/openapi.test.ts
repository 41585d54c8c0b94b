import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { startApi } from '../../test-support/start-api.ts';
import { SPECIFIED_OPERATIONS, SPECIFIED_FIELDS } from '../../test-support/specification.ts';
import type { OpenApi } from './document.ts';

const { app } = await startApi();
const answer = await app.request('/api/v1/openapi.json');
const text = await answer.text();
const api = JSON.parse(text) as OpenApi;
const { schemas } = api.components;

const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    operation,
  })),
);

describe('the API’s own description', () => {
  test('is there for anybody, from any origin', () => {
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  });

  test('has no problem that a linter finds', async () => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      rules: {
        // Development is at localhost; a deployment writes its own address there.
        'no-server-example.com': 'off',
      },
    });
    const problems = await lintFromString({ source: text, config });
    assert.deepEqual(
      problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
      [],
    );
  });

  test('names every route that exists, and no other', () => {
    const routes = app.routes
      .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api/v1/'))
      .map(({ method, path }) => `${method} ${path.slice('/api/v1'.length)}`)
      .filter((name) => name !== 'GET /openapi.json')
      .map((name) => name.replace(/:(\w+)/g, '{$1}'));
    assert.deepEqual(operations.map(({ name }) => name).sort(), [...new Set(routes)].sort());
  });

  test('points to nothing that is not in it', () => {
    for (const [, pointer = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      let found: unknown = api;
      for (const part of pointer.split('/')) found = (found as Record<string, unknown>)[part];
      assert.ok(found, pointer);
    }
  });
});

describe('the specification', () => {
  for (const { name, query = [], body, answers, status = 200, scope } of SPECIFIED_OPERATIONS) {
    test(`has ${name}, and so has the description`, () => {
      const operation = operations.find((one) => one.name === name)?.operation;
      assert.ok(operation);
      assert.ok(!operation['x-additive']);
      const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query');
      assert.deepEqual(inQuery.map((parameter) => parameter.name).sort(), query.toSorted());
      if (scope) assert.deepEqual(operation.security[0], { bearer: [scope] });
      const ok = operation.responses[status] as { content: object } | undefined;
      assert.deepEqual(ok?.content, {
        'application/json': { schema: { $ref: `#/components/schemas/${answers}` } },
      });
      const named = operation.requestBody?.content['application/json'].schema.$ref;
      const taken = named && Object.keys(schemas[named.split('/').at(-1)!]?.properties ?? {});
      for (const field of body ?? []) assert.ok(taken?.includes(field), field);
    });
  }

  test('has no other operation: the rest is marked as additive', () => {
    const additive = operations.filter(({ operation }) => operation['x-additive']);
    assert.equal(operations.length, SPECIFIED_OPERATIONS.length + additive.length);
    assert.equal(SPECIFIED_OPERATIONS.length, 22);
  });

  for (const [name, fields] of Object.entries(SPECIFIED_FIELDS)) {
    test(`has these fields of ${name}, always present`, () => {
      const schema = schemas[name]!;
      for (const [field, type] of Object.entries(fields)) {
        const described = schema.properties?.[field];
        assert.ok(described, field);
        const types = described.anyOf ?? [described];
        const typed = types.some((one) => one.type === type || one.type?.includes(type));
        assert.ok(typed, `${field}: ${JSON.stringify(described)}`);
      }
      assert.deepEqual(Object.keys(schema.properties ?? {}).sort(), Object.keys(fields).sort());
      assert.deepEqual(schema.required?.toSorted(), Object.keys(fields).sort());
    });
  }

  test('has these common query parameters', () => {
    const { parameters } = api.paths['/donations']!['get']!;
    const limit = parameters.find(({ name }) => name === 'limit')?.schema;
    assert.deepEqual(limit, { type: 'integer', minimum: 1, maximum: 100, default: 25 });
    const since = parameters.find(({ name }) => name === 'updated_since')?.schema;
    assert.deepEqual(since, { type: 'string', format: 'date-time' });
    const events = api.paths['/events']!['get']!.parameters;
    const schemaOf = (name: string) => events.find((one) => one.name === name)?.schema;
    assert.deepEqual(schemaOf('published'), { type: 'boolean' });
    assert.deepEqual(schemaOf('upcoming'), { type: 'boolean', const: true });
  });

  test('names these scopes', () => {
    const { scopes } = api.components.securitySchemes.oauth2.flows.authorizationCode;
    assert.deepEqual(
      Object.keys(scopes).sort(),
      'donations:read donors:read events:read offline_access payments:write payouts:read reference:read registrations:read webhooks:write'.split(
        ' ',
      ),
    );
  });
});

describe('GET /docs', () => {
  test('shows every operation and resource, with no script and nothing from elsewhere', async () => {
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
