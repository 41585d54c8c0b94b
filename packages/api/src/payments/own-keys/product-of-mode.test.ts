import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { createProcessor } from '../stripe/processor.ts';

/** The keys with which products were created. */
const creations: (string | undefined)[] = [];

// Not the sandbox: an id exists there only once, and the product has the same one in both modes.
const server = createServer((request, response) => {
  const isProduct = request.url === '/v1/products';
  if (isProduct) creations.push(request.headers.authorization);
  response.writeHead(isProduct ? 200 : 400, { 'content-type': 'application/json' });
  response.end(JSON.stringify(isProduct ? { id: 'prod_1' } : { error: { message: 'enough' } }));
});
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
after(() => server.close());

test('the product of recurring donations is created in each mode', async () => {
  const { port } = server.address() as AddressInfo;
  let mode: 'test' | 'live' = 'test';
  const processor = createProcessor(
    {
      address: { host: '127.0.0.1', port, protocol: 'http' },
      scriptUrl: '',
      livemode: true,
      platform: undefined,
    },
    async () => ({
      secretKey: `sk_${mode}_own`,
      publishableKey: `pk_${mode}_own`,
      livemode: mode === 'live',
    }),
  );
  const organization = {
    id: 'org_1',
    name: 'Garden',
    currency: 'usd',
    processorAccountId: 'acct_own',
    timeZone: 'UTC',
  };
  for (const next of ['test', 'test', 'live', 'live'] as const) {
    mode = next;
    const request = {
      amount_cents: 1000,
      amounts: '500-100000',
      frequency: 'monthly' as const,
      source: 'api' as const,
      source_id: 'key_1',
      reference: 'AAAA-AAAA',
      offeredMethodTypes: ['card'],
      requestKey: 'key',
    };
    await assert.rejects(processor.createSubscription(organization, request));
  }
  assert.deepEqual(creations, ['Bearer sk_test_own', 'Bearer sk_live_own']);
});
