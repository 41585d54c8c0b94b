import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { freePorts } from '../support/free-ports.ts';
import { startSystem, type TestSystem } from '../support/system.ts';
import { openWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { readResources, type ReadResources, type Resources } from './resources.ts';
import {
  ADDED_FIELDS,
  ADDITIONAL_OPERATIONS,
  fieldTitle,
  OPTIONAL_FIELDS,
  RESOURCE_NAMES,
  SPECIFIED_FIELDS,
  SPECIFIED_OPERATIONS,
  SPECIFIED_SCOPES,
  type FieldType,
} from './specification.ts';

let system: TestSystem;
let receiver: WebhookReceiver;
let found: Resources;
let envelopes: ReadResources['envelopes'];
let api: OpenApi;

/** The part of the API's OpenAPI document that is compared with the specification. */
interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    securitySchemes: {
      oauth2: { flows: { authorizationCode: { scopes: Record<string, string> } } };
    };
  };
}
interface Operation {
  parameters: { name: string; in: string; schema: Schema }[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
  responses: Record<string, { content?: Record<string, { schema: Schema }> } | undefined>;
  security: Record<string, string[]>[];
}
interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

before(async () => {
  const [respondingPort, unreachablePort] = await freePorts(2);
  system = await startSystem({
    WEBHOOK_ALLOW_HOSTS: `localhost:${respondingPort},localhost:${unreachablePort}`,
  });
  receiver = await openWebhookReceiver(respondingPort!);
  const webhookUrls = {
    responding: receiver.url,
    unreachable: `http://localhost:${unreachablePort}/webhooks`,
  };
  ({ resources: found, envelopes } = await readResources(system, webhookUrls));
  api = (await (await fetch(`${system.api_base}/openapi.json`)).json()) as OpenApi;
});

after(async () => {
  await system?.close();
  await receiver?.close();
});

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const TYPE_CHECKS: Record<FieldType, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  'date-time': (value) => typeof value === 'string' && ISO.test(value) && !isNaN(Date.parse(value)),
  integer: (value) => Number.isSafeInteger(value),
  boolean: (value) => typeof value === 'boolean',
  'array of string': (value) => Array.isArray(value) && value.every(TYPE_CHECKS.string),
  'array of event_ticket_type': (value) =>
    Array.isArray(value) &&
    value.every((item) => (item as { object: string }).object === 'event_ticket_type'),
};

describe('the responses', () => {
  for (const name of RESOURCE_NAMES) {
    const fields = Object.entries(SPECIFIED_FIELDS[name]);
    const object = name.replace('_with_secret', '');

    test(`a ${name} has these fields and no other, and its object is ${object}`, () => {
      assert.ok(found[name].length > 0);
      const optional = OPTIONAL_FIELDS[name] ?? [];
      for (const row of found[name]) {
        assert.deepEqual(
          Object.keys(row)
            .filter((field) => !optional.includes(field))
            .sort(),
          [...fields.map(([field]) => field), ...(ADDED_FIELDS[name] ?? [])].sort(),
        );
        assert.equal(row['object'], object);
      }
    });

    for (const [field, type] of fields) {
      test(fieldTitle(name, field, type), () => {
        const known = found[name].map((row) => row[field]).filter((value) => value !== null);
        assert.ok(known.length > 0, 'no row has a value for this field');
        assert.deepEqual(
          known.filter((value) => !TYPE_CHECKS[type](value)),
          [],
        );
      });
    }
  }
});

describe('every list', () => {
  test('has data, has_more and next_cursor', () => {
    const lists = envelopes.filter(({ path }) => path !== '/webhooks');
    assert.ok(lists.length > 8);
    for (const { path, fields } of lists) {
      assert.deepEqual(fields.sort(), ['data', 'has_more', 'next_cursor'], path);
    }
  });

  test('except GET /webhooks, which has data only', () => {
    const { fields } = envelopes.find(({ path }) => path === '/webhooks')!;
    assert.deepEqual(fields, ['data']);
  });
});

describe('the OpenAPI document', () => {
  const operations = () =>
    Object.entries(api.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        operation,
      })),
    );

  for (const {
    name,
    query = [],
    body = [],
    additionalQuery = [],
    responseSchema,
    status = 200,
    scope,
  } of SPECIFIED_OPERATIONS) {
    test(`has ${name}`, () => {
      const operation = operations().find((item) => item.name === name)?.operation;
      assert.ok(operation);
      const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query');
      assert.deepEqual(
        inQuery.map((parameter) => parameter.name).sort(),
        [...query, ...additionalQuery].sort(),
      );
      if (scope) assert.deepEqual(operation.security[0], { bearer: [scope] });
      assert.deepEqual(operation.responses[status]?.content?.['application/json']?.schema, {
        $ref: `#/components/schemas/${responseSchema}`,
      });
      const schemaRef = operation.requestBody?.content['application/json'].schema.$ref;
      const properties =
        schemaRef && api.components.schemas[schemaRef.split('/').at(-1)!]?.properties;
      for (const field of body) assert.ok(properties && field in properties, field);
    });
  }

  test('has 22 operations of the specification, and those that are listed as additional', () => {
    assert.equal(SPECIFIED_OPERATIONS.length, 22);
    assert.deepEqual(
      operations()
        .map(({ name }) => name)
        .sort(),
      [...SPECIFIED_OPERATIONS.map(({ name }) => name), ...ADDITIONAL_OPERATIONS].sort(),
    );
  });

  for (const name of RESOURCE_NAMES) {
    test(`has the fields of ${name}, always present, and no other`, () => {
      const schema = api.components.schemas[pascal(name)];
      const fields = SPECIFIED_FIELDS[name];
      const names = [...Object.keys(fields), ...(ADDED_FIELDS[name] ?? [])].sort();
      const optional = OPTIONAL_FIELDS[name] ?? [];
      assert.deepEqual(
        Object.keys(schema?.properties ?? {}).sort(),
        [...names, ...optional].sort(),
      );
      assert.deepEqual(schema?.required?.toSorted(), names);
      for (const [field, type] of Object.entries(fields)) {
        const described = schema.properties![field]!;
        const types = (described.anyOf ?? [described]).map(typeNameOf);
        assert.ok(types.includes(type), `${field}: ${JSON.stringify(described)}`);
      }
    });
  }

  test('has the common query parameters and their bounds', () => {
    const schemasOf = (path: string) =>
      Object.fromEntries(
        api.paths[path]!['get']!.parameters.map(({ name, schema }) => [name, schema]),
      );
    const { limit, updated_since } = schemasOf('/donations');
    assert.deepEqual(limit, { type: 'integer', minimum: 1, maximum: 100, default: 25 });
    assert.deepEqual(updated_since, { type: 'string', format: 'date-time' });
    const { published, upcoming } = schemasOf('/events');
    assert.deepEqual(published, { type: 'boolean' });
    assert.deepEqual(upcoming, { type: 'boolean', const: true });
  });

  test('has the scopes and offline_access', () => {
    const { scopes } = api.components.securitySchemes.oauth2.flows.authorizationCode;
    const expected = [...SPECIFIED_SCOPES, 'offline_access'];
    assert.deepEqual(Object.keys(scopes).sort(), expected.sort());
  });
});

/** Converts `event_ticket_type` to `EventTicketType`. */
const pascal = (name: string) =>
  name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The specification's name of an OpenAPI type. */
function typeNameOf({ type, format, items, $ref, anyOf }: Schema): string {
  if ($ref) return $ref.endsWith('/EventTicketType') ? 'event_ticket_type' : $ref;
  if (anyOf) return anyOf.map(typeNameOf).join(' or ');
  if (items) return `array of ${typeNameOf(items)}`;
  const known = [type].flat().find((item) => item !== 'null');
  return format === 'date-time' ? format : String(known);
}
