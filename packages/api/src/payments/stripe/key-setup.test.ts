import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { createClient } from './client.ts';
import { keySetup } from './key-setup.ts';

const MESSAGE = 'Your account cannot currently make live charges.';
let status = 400;
let type = 'invalid_request_error';

/** A Stripe that knows the account of the key, and refuses to create a setup intent. */
const server = createServer((request, response) => {
  const isAccount = request.url === '/v1/account';
  response.writeHead(isAccount ? 200 : status, { 'content-type': 'application/json' });
  const account = { id: 'acct_1', charges_enabled: true, payouts_enabled: true };
  response.end(JSON.stringify(isAccount ? account : { error: { type, message: MESSAGE } }));
});
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
after(() => server.close());
const { port } = server.address() as AddressInfo;
const address = { host: '127.0.0.1', port, protocol: 'http' as const };
const client = createClient(
  {
    address,
    scriptUrl: '',
    livemode: false,
    platform: { secretKey: 'sk', publishableKey: '', webhookSecret: '' },
  },
  async () => undefined,
);
const verify = () =>
  keySetup.verifyKeys(client, { secretKey: 'sk_test_1', publishableKey: 'pk_test_1' });

test('the owner reads why Stripe refuses a key that has all permissions', async () => {
  await assert.rejects(verify(), {
    type: 'invalid_request',
    param: 'secret_key',
    message: `secret_key cannot be used. Stripe says: ${MESSAGE}`,
  });
});

test('a missing permission is named as such', async () => {
  [status, type] = [403, 'invalid_request_error'];
  await assert.rejects(verify(), /does not have the permissions that donations need/);
});
