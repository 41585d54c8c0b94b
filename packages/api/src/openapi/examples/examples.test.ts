import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DEFAULT_FORM_PAGE, ERROR_STATUS, type ErrorType } from '@connect-embed/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { fieldNames } from '../../../test-support/inputs/field-names.ts';
import { openLive, waitForOldTransactions } from '../../../test-support/network/live-client.ts';
import { eventually, startApi } from '../../../test-support/app/start-api.ts';
import type { DescribedOperation, MediaType, OpenApi } from '../document.ts';
import type { JsonSchema } from '../schemas.ts';
import type { Example } from './example.ts';
import { EXAMPLES } from './examples.ts';

const lookup = async () => ['93.184.216.34'];
const { app, db, pool, url, call, createKey, get, post } = await startApi({
  sandbox: true,
  hosts: { lookup },
});
const api = (await (await app.request('/api/v1/openapi.json')).json()) as OpenApi;
const { token: key } = await createKey();

// An independent JSON Schema validator: this test does not use our own zod schemas.
const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
ajv.addSchema({ $id: 'api', ...api });

function assertMatches(schema: JsonSchema, value: unknown): void {
  const absoluteSchema = schema.$ref ? { $ref: `api${schema.$ref}` } : schema;
  assert.ok(ajv.validate(absoluteSchema, value), `${ajv.errorsText()}: ${JSON.stringify(value)}`);
}

const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
);

interface Resource {
  id: string;
  object: string;
}

const createResource = async (path: string, body: object | undefined) => {
  const response = await post(path, key, body ?? {});
  assert.equal(response.status, 201, await response.clone().text());
  return (await response.json()) as Resource & Record<string, string>;
};
const fetchFirstId = async (path: string) => {
  const { data } = (await (await get(path, key)).json()) as { data: Resource[] };
  assert.ok(data[0], path);
  return data[0].id;
};
const bodyOf = (operationId: string): Record<string, unknown> => ({
  ...EXAMPLES[operationId]![0].body,
});
const exampleId = (operationId: string, name = 'id') =>
  String(EXAMPLES[operationId]![0].parameters![name]);

const endpoint = await createResource('/webhooks', bodyOf('createWebhookEndpoint'));
const delivery = await createResource(`/webhooks/${endpoint.id}/test`, {});
const intent = await createResource('/payment-intents', bodyOf('createPaymentIntent'));
const form = await createResource('/embed-sessions', bodyOf('createEmbedSession'));
const tables = await createResource('/component-sessions', bodyOf('createComponentSession'));

/** Maps ids of the examples that the demo data does not contain to ids that exist in this test. */
const existingIds = new Map([
  [exampleId('getDonation'), await fetchFirstId('/donations?limit=1')],
  [exampleId('getRecurringPlan'), await fetchFirstId('/recurring-plans?limit=1')],
  [exampleId('getDonor'), await fetchFirstId('/donors?limit=1')],
  [exampleId('getPayout'), await fetchFirstId('/payouts?limit=1&status=paid')],
  [exampleId('getPaymentIntentStatus', 'payment_intent_id'), intent['payment_intent_id']!],
  [exampleId('getWebhookEndpoint'), endpoint.id],
  [exampleId('redeliverWebhook', 'delivery_id'), delivery.id],
]);

// The payouts of the demo data have no entries.
await db
  .insertInto('balance_transaction')
  .values({
    id: 'btx_1',
    organization_id: 'org_harbor',
    payout_id: existingIds.get(exampleId('getPayout'))!,
    processor_transaction_id: 'txn_1',
    processor_payment_intent_id: 'pi_1',
    reporting_category: 'charge',
    amount_cents: 10_000,
    fee_cents: 320,
    fee_details: JSON.stringify([
      { amount_cents: 320, currency: 'usd', type: 'stripe_fee', description: null },
    ]),
    currency: 'usd',
  })
  .execute();

// No form of the demo data has a picture, and the newest one is not published.
const picture = { hash: '8tYw2cRk0dVn5qLhZxJ1Ma', width: 1600, height: 1067, alt: '' };
const page = JSON.stringify({ page: { ...DEFAULT_FORM_PAGE, picture } });
await pool.query('update form_version set settings = settings || $1', [page]);
await pool.query('update form set created_at = now() where live_version is not null');

// No payment of the demo data is on its way.
await db
  .insertInto('payment_intent')
  .values({
    id: 'pi_processing',
    organization_id: 'org_harbor',
    amount_cents: 10_000,
    currency: 'usd',
    status: 'processing',
    source: 'api',
    source_id: 'key_1',
    reference: 'K7QM-4XTY',
  })
  .execute();

/** Sends the request of an example, with ids that exist in this test. */
async function send(
  { method, path, operation }: (typeof operations)[number],
  { parameters = {}, body }: Example,
) {
  const used = operation.parameters.filter(({ name }) => name in parameters);
  assert.equal(used.length, Object.keys(parameters).length, 'every parameter is documented');
  const values = used.map(({ name, in: where }) => {
    const value = String(parameters[name]);
    return { name, where, value: existingIds.get(value) ?? value };
  });
  const filledPath = values
    .filter(({ where }) => where === 'path')
    .reduce((text, { name, value }) => text.replace(`{${name}}`, value), path);
  const query = values
    .filter(({ where }) => where === 'query')
    .map(({ name, value }) => [name, value]);
  const address = `${filledPath}?${new URLSearchParams(query)}`;
  const token = operation.operationId === 'getEmbedForm' ? form['session_token'] : key;
  return await call(method.toUpperCase(), address, token, {
    headers: { ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body, (_, value) => existingIds.get(value) ?? value) }),
  });
}

/** Opens the stream of the example, and returns the event of a new donation. */
async function streamDonation({ parameters }: Example): Promise<unknown> {
  await waitForOldTransactions(db);
  const components = String(parameters!['components']);
  const stream = await openLive(url, tables['token']!, { components });
  await eventually(async () => stream.eventsOf('open')[0]);
  const donation = { id: 'don_1', organization_id: 'org_harbor', amount_cents: 500 };
  await db
    .insertInto('donation')
    .values({ ...donation, currency: 'usd', source: 'api' })
    .execute();
  const { data } = await eventually(async () => stream.eventsOf('donation')[0]);
  await stream.close();
  return data;
}

const successOf = ({ responses }: DescribedOperation) => {
  const [status, response] = Object.entries(responses).find(([each]) => each.startsWith('2'))!;
  const [media] = Object.values((response as { content: Record<string, MediaType> }).content);
  return { status: Number(status), media: media! };
};

// The webhook endpoint is deleted last, because the other examples of webhooks need it.
const orderedOperations = operations.toSorted(
  (a, b) => Number(a.method === 'delete') - Number(b.method === 'delete'),
);

for (const described of orderedOperations) {
  const { method, path, operation } = described;
  const examples = EXAMPLES[operation.operationId];
  test(`${method.toUpperCase()} ${path} has an example`, () => assert.ok(examples));
  for (const example of examples ?? []) {
    describe(`${method.toUpperCase()} ${path}: ${example.title ?? 'example'}`, () => {
      const { status, media } = successOf(operation);
      const { requestBody } = operation;

      test('the request and the response match their schemas', () => {
        assertMatches(media.schema, example.response);
        assert.equal(example.body === undefined, requestBody === undefined);
        if (requestBody)
          assertMatches(requestBody.content['application/json'].schema, example.body);
      });

      test('the API responds as the example shows', async () => {
        if (operation.operationId === 'streamLive') {
          const event = await streamDonation(example);
          assert.deepEqual(fieldNames(event), fieldNames(example.response));
          return;
        }
        const response = await send(described, example);
        assert.equal(response.status, status, await response.clone().text());
        if (typeof example.response === 'string') {
          const [head] = example.response.split('\r\n');
          assert.equal((await response.text()).split('\r\n')[0], head);
          return;
        }
        const body: unknown = await response.json();
        assertMatches(media.schema, body);
        assert.deepEqual(fieldNames(body), fieldNames(example.response));
      });
    });
  }
}

test('the example of a webhook event matches its schema', () => {
  for (const { post: webhook } of Object.values(api.webhooks)) {
    const { schema, example } = webhook.requestBody.content['application/json'];
    assertMatches(schema, example);
  }
});

describe('the examples of errors', () => {
  for (const [name, { content }] of Object.entries(api.components.responses)) {
    test(`${name} match the error schema and their status`, () => {
      const { schema, examples } = content['application/json'];
      assert.ok(Object.keys(examples).length > 0);
      for (const { value } of Object.values(examples)) {
        assertMatches(schema, value);
        assert.equal(`Error${ERROR_STATUS[value.error.type as ErrorType]}`, name);
      }
    });
  }
});
