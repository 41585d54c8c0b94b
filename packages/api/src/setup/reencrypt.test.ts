import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Secrets } from '@connect-embed/contract/secrets';
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import Stripe from 'stripe';
import { cloneDatabase } from '../../test-support/database/database.ts';
import { readConfig } from '../config.ts';
import { openDatabase } from '../db/database.ts';
import { hasSameSecret, requireSameSecret } from '../db/installation.ts';
import { createColumnEncrypter } from '../lib/column-encrypter.ts';
import { createManageLinks } from '../mail/manage-link.ts';
import { secretKeyOf, webhookSecretOf } from '../payments/own-keys/stored-keys.ts';
import { createProcessor } from '../payments/stripe/processor.ts';
import { signInSecrets } from '../users/sign-in-secrets.ts';
import { decryptSecrets, rotateSecret, secretOf } from '../webhooks/secrets.ts';
import { reencryptAll } from './reencrypt.ts';

const OLD = 'o'.repeat(32);
const NEW = 'n'.repeat(32);
const BOTH = [NEW, OLD] as const;

const database = await cloneDatabase();
const { db, close } = openDatabase(database.url);
after(async () => {
  await close();
  await database.drop();
});

const signInKey = (secrets: Secrets) => {
  const versions = signInSecrets(secrets);
  return {
    keys: new Map(versions.map(({ version, value }) => [version, value])),
    currentVersion: versions[0]!.version,
  };
};

/** Stores one value of each kind, encrypted with the old secret. */
async function storeEncryptedValues(): Promise<void> {
  const stripeKey = createColumnEncrypter(OLD, 'stripe key');
  await db
    .insertInto('organization')
    .values({ id: 'org_1', name: 'New Hope', slug: 'new-hope', currency: 'usd' })
    .execute();
  await db
    .insertInto('stripe_key')
    .values({
      organization_id: 'org_1',
      publishable_key: 'pk_test_1',
      encrypted_secret_key: await stripeKey.encrypt('sk_test_1', secretKeyOf('org_1')),
      secret_key_end: '1',
      encrypted_webhook_secret: await stripeKey.encrypt('whsec_1', webhookSecretOf('org_1')),
      webhook_endpoint_id: null,
      livemode: false,
    })
    .execute();
  const webhookSecret = createColumnEncrypter(OLD, 'webhook secret');
  const encrypted_secret = await webhookSecret.encrypt('whsec_2', secretOf('org_1'));
  await db
    .insertInto('webhook_endpoint')
    .values({
      ...{ id: 'we_1', organization_id: 'org_1', url: 'https://example.org' },
      ...{ events: ['donation.created'], encrypted_secret },
    })
    .execute();
  const endpoint = { id: 'we_1', organization_id: 'org_1' };
  await rotateSecret(db, webhookSecret, endpoint, new Date());
  const person = { id: 'per_1', name: 'Kim', email: 'kim@example.org', image: null };
  await db
    .insertInto('person')
    .values({ ...person, email_verified: true, two_factor_enabled: true })
    .execute();
  const encrypt = (data: string) => symmetricEncrypt({ key: signInKey(OLD), data });
  const factor = { id: 'factor_1', person_id: 'per_1', verified: true };
  await db
    .insertInto('sign_in_second_factor')
    .values({ ...factor, secret: await encrypt('totp'), backup_codes: await encrypt('codes') })
    .execute();
}

/** Reads all values with these secrets; undefined for a value that they cannot decrypt. */
async function readValues(secrets: Secrets) {
  const key = await db.selectFrom('stripe_key').selectAll().executeTakeFirstOrThrow();
  const endpoint = await db.selectFrom('webhook_endpoint').selectAll().executeTakeFirstOrThrow();
  const factor = await db.selectFrom('sign_in_second_factor').selectAll().executeTakeFirstOrThrow();
  const decrypt = (data: string) =>
    symmetricDecrypt({ key: signInKey(secrets), data }).catch(() => undefined);
  const stripeKey = createColumnEncrypter(secrets, 'stripe key');
  const webhookSecret = createColumnEncrypter(secrets, 'webhook secret');
  const [, previous] =
    (await decryptSecrets(webhookSecret, endpoint, new Date()).catch(() => undefined)) ?? [];
  return [
    await stripeKey.decrypt(key.encrypted_secret_key, secretKeyOf('org_1')),
    await stripeKey.decrypt(key.encrypted_webhook_secret!, webhookSecretOf('org_1')),
    previous,
    await decrypt(factor.secret),
    await decrypt(factor.backup_codes),
  ];
}

describe('API_SECRET=new,old', () => {
  test('reads what was encrypted with the old secret, and re-encrypts it with the new one', async () => {
    const values = ['sk_test_1', 'whsec_1', 'whsec_2', 'totp', 'codes'];
    const none = values.map(() => undefined);
    await requireSameSecret(db, OLD);
    await storeEncryptedValues();
    assert.deepEqual(await readValues(BOTH), values);
    assert.deepEqual(await readValues(NEW), none);
    await requireSameSecret(db, BOTH);
    assert.equal(await reencryptAll(db, BOTH), 5);
    assert.deepEqual(await readValues(NEW), values);
    assert.deepEqual(await readValues(OLD), none);
    assert.deepEqual([await hasSameSecret(db, NEW), await hasSameSecret(db, OLD)], [true, false]);
  });

  test('re-encrypts the rest if a two-step sign-in is from a lost secret', async () => {
    const lost = (data: string) => symmetricEncrypt({ key: signInKey('l'.repeat(32)), data });
    await db
      .updateTable('sign_in_second_factor')
      .set({ secret: await lost('totp') })
      .execute();
    assert.equal(await reencryptAll(db, BOTH), 4);
  });

  test('accepts links that were signed with the old secret, and signs with the new one', () => {
    const links = (secret: Secrets) => createManageLinks({ secret, baseUrl: '' });
    const tokenOf = (secret: Secrets) =>
      links(secret).url({ id: 'plan_1', link_epoch: 0 }).split('/').at(-1)!;
    assert.ok(links(BOTH).verify(tokenOf(OLD)));
    assert.ok(links(NEW).verify(tokenOf(BOTH)));
    assert.equal(links(NEW).verify(tokenOf(OLD)), undefined);
  });
});

describe('two secrets, separated by a comma', () => {
  const config = (STRIPE_WEBHOOK_SECRET: string) =>
    readConfig({
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
      STRIPE_WEBHOOK_SECRET,
      METRICS_TOKEN: 'a new token for Prometheus, an old token for Prometheus',
      API_SECRET: `${NEW},${OLD}`,
    });

  test('are accepted from Stripe until the old one is removed', async () => {
    const payload = JSON.stringify({
      ...{ id: 'evt_1', type: 'payout.paid', livemode: false, created: 1 },
      ...{ account: 'acct_1', data: { object: { id: 'po_1' } } },
    });
    const readSigned = async (secret: string, accepted: string) => {
      const { webhooks } = new Stripe('sk_test_1');
      const signature = await webhooks.generateTestHeaderStringAsync({ payload, secret });
      return await createProcessor(config(accepted).processor).readEvent(payload, signature);
    };
    for (const secret of ['whsec_old', 'whsec_new'])
      assert.equal((await readSigned(secret, 'whsec_new,whsec_old')).id, 'evt_1');
    await assert.rejects(readSigned('whsec_old', 'whsec_new'), /does not match the body/);
  });

  test('are read by name, and each is checked', () => {
    const { metricsToken, loadOrCreateSecret } = config('whsec_1');
    assert.deepEqual(metricsToken, ['a new token for Prometheus', 'an old token for Prometheus']);
    assert.deepEqual(loadOrCreateSecret(), BOTH);
    assert.throws(() => readConfig({ API_SECRET: `${NEW},short` }), /API_SECRET.*at least 32/);
    // Perhaps one secret that contains commas.
    assert.throws(
      () => readConfig({ API_SECRET: `${NEW},${OLD},${OLD}` }),
      /^Error: API_SECRET takes one secret, or two separated by a comma; each must have/,
    );
  });
});
