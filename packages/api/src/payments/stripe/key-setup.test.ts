import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createClient } from './client.ts';
import { KEY_PERMISSIONS, permissionNames } from './key-permissions.ts';
import { keySetup } from './key-setup.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../../../../../docs/operations.md'), 'utf8');
const MESSAGE = 'Your account cannot currently make live charges.';

/** A Stripe that knows the account of the key, and refuses all other calls. */
const server = createServer((request, response) => {
  const isAccount = request.url === '/v1/account';
  response.writeHead(isAccount ? 200 : 403, { 'content-type': 'application/json' });
  const account = { id: 'acct_1', charges_enabled: true, payouts_enabled: true };
  const error = { type: 'invalid_request_error', message: MESSAGE };
  response.end(JSON.stringify(isAccount ? account : { error }));
});
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
after(() => server.close());
const { port } = server.address() as AddressInfo;
const address = { host: '127.0.0.1', port, protocol: 'http' as const };
const client = createClient({
  address,
  scriptUrl: '',
  livemode: false,
  platform: { secretKey: 'sk', publishableKey: '', webhookSecret: '' },
});
const verify = (secretKey: string) =>
  keySetup(client).verifyKeys({ secretKey, publishableKey: 'pk_test_1' });

test('the owner reads why Stripe refuses a key that has all permissions', async () => {
  await assert.rejects(verify('sk_test_1'), {
    type: 'invalid_request',
    param: 'secret_key',
    message: `secret_key cannot be used. Stripe says: ${MESSAGE}`,
  });
});

test('each missing permission of a restricted key is named', async () => {
  const denied = KEY_PERMISSIONS.filter(({ name }) => name !== 'Accounts');
  const names = denied.map(({ name, access }) => `${name} (${access})`).join(', ');
  await assert.rejects(verify('rk_test_1'), {
    type: 'invalid_request',
    param: 'secret_key',
    message: `secret_key lacks these permissions: ${names}. Add them to the restricted key at Stripe, or use the secret key.`,
  });
});

test('the guide for operators lists the permissions of a restricted key', () => {
  for (const access of ['Write', 'Read'] as const)
    assert.ok(GUIDE.includes(`\n- ${access}: ${permissionNames(access)}\n`));
});
