import fc from 'fast-check';
import type { DescribedOperation, OpenApi, Parameter } from '../../src/openapi/document.ts';
import type { JsonSchema } from '../../src/openapi/schemas.ts';

/** A generated request for property-based tests. Undefined parts are omitted. */
export interface FuzzRequest {
  ids: Record<string, string>;
  query: [string, string][];
  key?: string;
  body: { kind: 'json'; value: unknown } | { kind: 'garbage' | 'no-type'; text: string };
}

/** Texts that are known to break software. */
const HOSTILE_TEXTS = fc.constantFrom(
  ...['', ' ', '\0', 'null', '0', '-1', '1.5', '1e2', '+5', '٥', '%00', "'--", '💸', '../x'],
  ...['2026-02-30T00:00:00Z', '2026-01-01', '[object Object]', 'a'.repeat(5000), '__proto__'],
);
const ANYTHING: fc.Arbitrary<unknown> = fc.oneof(
  HOSTILE_TEXTS,
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(null, true, -1, 0, 1.5, 1e21, [], {}, [[[[[[[[]]]]]]]]),
);

/** Generates mostly valid values, because requests with many invalid values never pass validation. */
const mostlyValid = (valid: fc.Arbitrary<unknown>, invalid: fc.Arbitrary<unknown>) =>
  fc.oneof({ arbitrary: valid, weight: 6 }, { arbitrary: invalid, weight: 1 });

/** Generates valid and invalid requests for an operation from its OpenAPI description. */
export function requestsFor(
  api: OpenApi,
  { parameters, requestBody }: DescribedOperation,
  knownIds: Record<string, readonly string[]>,
): fc.Arbitrary<FuzzRequest> {
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const schema = requestBody?.content['application/json'].schema;
  const body = schema ? bodies(api, schema) : fc.constant({ kind: 'json', value: undefined });
  return fc.record(
    {
      ids: fc.record(
        Object.fromEntries(inPath.map(({ name }) => [name, ids(knownIds[name] ?? [])])),
      ),
      query: queries(api, inQuery),
      key: fc.oneof(fc.uuid(), fc.constantFrom('a b', 'x'.repeat(300), 'once')),
      body: body as fc.Arbitrary<FuzzRequest['body']>,
    },
    { requiredKeys: ['ids', 'query', 'body'] },
  );
}

/** Generates ids, except an empty id, `.` and `..`, which would change the path. */
const ids = (knownIds: readonly string[]) =>
  fc
    .oneof(
      fc.constantFrom(...knownIds, 'event_none'),
      HOSTILE_TEXTS,
      fc.string({ unit: 'grapheme' }),
    )
    .filter((id) => id !== '' && !/^\.{1,2}$/.test(id));

function queries(api: OpenApi, parameters: readonly Parameter[]) {
  const pairs = parameters.map(({ name, schema }) =>
    fc.option(
      mostlyValid(valueOf(api, schema).map(asText), HOSTILE_TEXTS).map(
        (text) => [name, String(text)] as const,
      ),
      { freq: 1 },
    ),
  );
  const unknownParameter = fc.option(
    fc.tuple(fc.constantFrom('page', 'Limit', 'limit', '[]'), HOSTILE_TEXTS),
    {
      freq: 12,
    },
  );
  return fc
    .tuple(...pairs, unknownParameter)
    .map((all) => all.filter((pair) => pair !== null) as [string, string][]);
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

const bodies = (api: OpenApi, schema: JsonSchema) =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: valueOf(api, schema).map((value) => ({ kind: 'json', value })),
    },
    { weight: 2, arbitrary: ANYTHING.map((value) => ({ kind: 'json', value })) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('{', '{"a":', 'amount_cents=5', '\0', '{"a":1}{"b":2}')
        .map((text) => ({ kind: 'garbage', text })),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'no-type', text: '{"a":1}' }) },
  );

/** Generates values that a schema allows, and sometimes a value that the schema does not allow. */
function valueOf(api: OpenApi, schema: JsonSchema): fc.Arbitrary<unknown> {
  return mostlyValid(validValue(api, schema), ANYTHING);
}

function validValue(api: OpenApi, schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.$ref) return valueOf(api, api.components.schemas[schema.$ref.split('/').at(-1)!]!);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valueOf(api, one)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return integers(schema);
    case 'array':
      return fc.array(valueOf(api, schema.items ?? {}), { maxLength: 4 });
    case 'object':
      return objects(api, schema);
    default:
      return texts(schema);
  }
}

const integers = ({ minimum = -10, maximum = 200 }: JsonSchema) =>
  fc.oneof(
    fc.integer({ min: minimum, max: maximum }),
    fc.constantFrom(minimum, maximum, minimum - 1, maximum + 1),
  );

function objects(api: OpenApi, schema: JsonSchema): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.properties ?? {});
  const valid = fc.record(
    Object.fromEntries(fields.map(([name, field]) => [name, valueOf(api, field)])),
    { requiredKeys: schema.required ?? [] },
  );
  const withUnknownProperty = fc.tuple(valid, HOSTILE_TEXTS, ANYTHING).map(([all, name, value]) => {
    return Object.fromEntries([...Object.entries(all as object), [name, value]]);
  });
  return mostlyValid(valid, withUnknownProperty);
}

function texts({ format, pattern }: JsonSchema): fc.Arbitrary<unknown> {
  if (format === 'date-time') {
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
      .map((date) => date.toISOString());
  }
  if (format === 'email') return fc.constantFrom('ada@example.org', 'a+b@example.co.uk');
  if (format === 'uri') {
    const urls = ['https://hooks.example.com/in', 'http://hooks.example.com', 'https://127.0.0.1'];
    return fc.constantFrom(...urls, 'https://10.0.0.1:8443/x', 'ftp://x.example', 'https://a b');
  }
  const names = fc.constantFrom('fund_general', 'camp_winter', 'Ada Lovelace', 'Zoë 💛');
  return pattern ? names : fc.oneof(names, fc.string({ unit: 'grapheme', maxLength: 30 }));
}
