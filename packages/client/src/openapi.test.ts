/**
 * Compares the client with the API's OpenAPI document in both directions: operations by calling
 * every method, and parameters, bodies and responses by the types of the compiler.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { startApi } from '@connect-embed/api/test-support/app/start-api';
import { Connect, ResourceList } from './index.ts';
import { readMethods, shapeOfSchema, type JsonSchema, type Shape } from './test-support/shapes.ts';

interface Operation {
  parameters: { name: string; in: string; schema: JsonSchema }[];
  requestBody?: { content: { 'application/json': { schema: JsonSchema } } };
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>;
}

const { app } = await startApi();
const document = (await (await app.request('/api/v1/openapi.json')).json()) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
};
const { schemas } = document.components;

const operations = new Map(
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [
      `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`,
      operation,
    ]),
  ),
);

/** Calls a method with `{}` for each id. @returns the request that it sends, such as `GET /donations/{}` */
async function requestOf(resource: string, name: string, ids: number): Promise<string> {
  let request = '';
  const connect = new Connect({
    apiBase: 'https://api.example.org',
    token: 'gb_live_key',
    fetch: async (url, { method }) => {
      request = `${method ?? 'GET'} ${decodeURIComponent(new URL(url).pathname)}`;
      return Response.json({ data: [] });
    },
  });
  type Methods = Record<string, (...ids: string[]) => unknown>;
  const methods = (connect as unknown as Record<string, Methods>)[resource]!;
  const result = methods[name]!(...Array<string>(ids).fill('{}'));
  if (result instanceof ResourceList) await result.page();
  else if (Symbol.asyncIterator in (result as object)) await (result as AsyncGenerator).next();
  else await result;
  return request;
}

const methods = await Promise.all(
  readMethods(join(import.meta.dirname, 'connect.ts')).map(async (method) => ({
    ...method,
    request: await requestOf(method.resource, method.name, method.ids),
  })),
);

test('the client has a method for every operation, and no other', () => {
  assert.deepEqual(methods.map(({ request }) => request).sort(), [...operations.keys()].sort());
});

for (const { resource, name, request, query, body, response } of methods) {
  const operation = operations.get(request);
  // The stream is not JSON: `client.test.ts` reads it from the API.
  if (!operation || request === 'GET /live') continue;

  describe(`${resource}.${name} (${request})`, () => {
    test('has the filters of the document', () => {
      const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query');
      const documented = Object.fromEntries(
        inQuery.map(({ name, schema }) => [name, shapeOfSchema(schema, schemas)]),
      );
      assert.deepEqual(query ?? {}, documented);
    });

    test('has the body of the document', () => {
      const schema = operation.requestBody?.content['application/json'].schema;
      assert.deepEqual(body ?? {}, schema ? shapeOfSchema(schema, schemas) : {});
    });

    test('has the response of the document', () => {
      const [success] = Object.entries(operation.responses).find(([status]) => status < '300')!;
      const [{ schema } = { schema: {} }] = Object.values(operation.responses[success]!.content!);
      assert.deepEqual(response, shapeOfSchema(schema, schemas));
    });
  });
}

test('the comparison finds a field that one side lacks', () => {
  const [method] = methods.filter(({ request }) => request === 'GET /donations/{}');
  const documented = shapeOfSchema({ $ref: '#/components/schemas/Donation' }, schemas) as Record<
    string,
    Shape
  >;
  const { reference: _, ...rest } = documented;
  assert.notDeepEqual(method!.response, rest);
  assert.notDeepEqual({ ...(method!.response as object), other: 'string' }, documented);
});
