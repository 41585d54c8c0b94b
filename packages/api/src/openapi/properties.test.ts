import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { requestsFor, type FuzzRequest } from '../../test-support/inputs/fuzz-requests.ts';
import { startApi } from '../../test-support/app/start-api.ts';
import type { DescribedOperation, OpenApi } from './document.ts';
import type { JsonSchema } from './schemas.ts';

/** Number of generated requests per operation. `CONTRACT_RUNS=2000 npm test …` takes minutes. */
const RUNS = Number(process.env['CONTRACT_RUNS'] ?? 40);
/** Requests per API key, below the rate limit of 120 requests per minute and credential. */
const REQUESTS_PER_KEY = 100;

const lookup = async () => ['93.184.216.34'];
const { app, call, createKey } = await startApi({ sandbox: true, hosts: { lookup } });
const api = (await (await app.request('/api/v1/openapi.json')).json()) as OpenApi;

// An independent JSON Schema validator: this test does not use our own zod schemas.
const ajv = new Ajv2020({ strict: false, allErrors: false });
formats.default(ajv);
ajv.addSchema({ $id: 'api', ...api });
const matchesSchema = (schema: JsonSchema, value: unknown): boolean => {
  const absoluteSchema = schema.$ref ? { $ref: `api${schema.$ref}` } : schema;
  return ajv.validate(absoluteSchema, value);
};

let caller = { token: '', webhookId: '', remainingRequests: 0 };

/** Returns a credential with a webhook endpoint of its own and requests left in its rate limit. */
async function nextCaller() {
  if (caller.remainingRequests-- > 0) return caller;
  const { token } = await createKey();
  const response = await call('POST', '/webhooks', token, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'https://hooks.example.com/in', events: ['donation.created'] }),
  });
  assert.equal(response.status, 201);
  const { id } = (await response.json()) as { id: string };
  return (caller = { token, webhookId: id, remainingRequests: REQUESTS_PER_KEY });
}

const KNOWN_IDS = { id: ['event_gala', 'OWN_WEBHOOK'], delivery_id: ['whd_none'] };

for (const [path, methods] of Object.entries(api.paths)) {
  for (const [method, operation] of Object.entries(methods)) {
    describe(`${method.toUpperCase()} ${path}`, () => {
      test('responds as documented to every request, and rejects requests that violate the document', () =>
        fc.assert(
          fc.asyncProperty(requestsFor(api, operation, KNOWN_IDS), async (request) => {
            const response = await send(method, path, request);
            const summary = `${response.status} ${response.text.slice(0, 300)}`;
            assert.ok(response.status < 500, summary);
            assertDescribed(operation, response);
            const violation = findViolation(operation, request);
            // The status is 409 if the generated Idempotency-Key was used before.
            if (violation)
              assert.ok([400, 409, 415].includes(response.status), `${violation}: ${summary}`);
          }),
          { numRuns: RUNS },
        ));
    });
  }
}

async function send(method: string, path: string, { ids, query, key, body }: FuzzRequest) {
  const { token, webhookId } = await nextCaller();
  const filledPath = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(ids[name] === 'OWN_WEBHOOK' ? webhookId : (ids[name] ?? '')),
  );
  const search = query.length ? `?${new URLSearchParams(query)}` : '';
  const text = body.kind === 'json' ? JSON.stringify(body.value) : body.text;
  const hasBody = method !== 'get' && text !== undefined;
  const headers = {
    ...(key !== undefined && { 'idempotency-key': key }),
    ...(hasBody && { 'content-type': body.kind === 'no-type' ? 'text/plain' : 'application/json' }),
  };
  const response = await call(method.toUpperCase(), filledPath + search, token, {
    headers,
    ...(hasBody && { body: text }),
  });
  return { status: response.status, text: await response.text() };
}

function assertDescribed(operation: DescribedOperation, actual: { status: number; text: string }) {
  const documentedResponse = operation.responses[actual.status] as { $ref?: string } | undefined;
  assert.ok(documentedResponse, `${actual.status} is not described.`);
  const name = documentedResponse.$ref?.split('/').at(-1);
  const response = (name ? api.components.responses[name] : documentedResponse) as {
    content: Record<string, { schema: JsonSchema }>;
  };
  const [[contentType, { schema }]] = Object.entries(response.content) as [
    [string, { schema: JsonSchema }],
  ];
  const body: unknown = contentType === 'text/csv' ? actual.text : JSON.parse(actual.text);
  const failureMessage = () => `${ajv.errorsText()}: ${actual.text.slice(0, 300)}`;
  assert.ok(matchesSchema(schema, body), failureMessage());
}

/** Returns the first violation of the document in a request; undefined if the request is valid. */
function findViolation({ parameters, requestBody }: DescribedOperation, request: FuzzRequest) {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const names = request.query.map(([name]) => name);
  if (parameters.some(({ name }) => name === 'Idempotency-Key')) {
    if (request.key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(request.key)) return 'key';
  } else if (requestBody === undefined && inQuery.length > 0) {
    if (new Set(names).size < names.length) return 'a parameter twice';
    for (const [name, text] of request.query) {
      const schema = inQuery.find((parameter) => parameter.name === name)?.schema;
      if (!schema || !matchesSchema(schema, valueOfText(schema, text))) return name;
    }
  }
  if (!requestBody) return undefined;
  const { body } = request;
  if (body.kind !== 'json') return body.kind;
  const isBodyOmitted = body.value === undefined;
  if (isBodyOmitted) return requestBody.required ? 'no body' : undefined;
  const { schema } = requestBody.content['application/json'];
  return matchesSchema(schema, body.value) ? undefined : ajv.errorsText();
}

/** Converts a parameter's text to the type of its schema. Other texts stay strings. */
function valueOfText({ type }: JsonSchema, text: string): unknown {
  if (type === 'integer' && String(Number(text)) === text) return Number(text);
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}
