import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fillDisk } from '../test-support/database/full-disk.ts';
import { readConfig } from './config.ts';

const STRIPE_ENV = {
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
};

describe('readConfig', () => {
  test('returns defaults for an empty environment', () => {
    const config = readConfig({});
    assert.equal(config.baseUrl, 'http://localhost:4000');
    assert.equal(config.host, '127.0.0.1');
    assert.equal(config.databaseUrl, undefined);
    assert.deepEqual(config.processor, {
      platform: {
        secretKey: 'sk_test_sandbox',
        publishableKey: 'pk_test_sandbox',
        webhookSecret: 'whsec_sandbox',
      },
      scriptUrl: 'http://localhost:4300/stripe.js',
      livemode: false,
      address: { host: 'localhost', port: 4300, protocol: 'http' },
    });
  });

  test('removes a trailing slash from the base URL', () => {
    const { baseUrl } = readConfig({ API_BASE_URL: 'https://api.example.org/' });
    assert.equal(baseUrl, 'https://api.example.org');
  });

  test('treats an empty variable as absent', () => {
    assert.equal(readConfig({ API_PORT: '', STRIPE_SECRET_KEY: '' }).port, 4000);
  });

  test('derives the base URL from the port and the script URL from SANDBOX_URL', () => {
    const { baseUrl, processor } = readConfig({
      API_PORT: '4999',
      SANDBOX_URL: 'https://sandbox.example/',
    });
    assert.equal(baseUrl, 'http://localhost:4999');
    assert.equal(processor.scriptUrl, 'https://sandbox.example/stripe.js');
    assert.deepEqual(processor.address, { host: 'sandbox.example', port: 443, protocol: 'https' });
  });

  test('selects Stripe if all Stripe keys are set, and derives livemode from the keys', () => {
    const { processor } = readConfig(STRIPE_ENV);
    assert.equal(processor.address, undefined);
    assert.equal(processor.livemode, true);
    assert.equal(processor.scriptUrl, 'https://js.stripe.com/endive/stripe.js');
  });

  for (const secret of ['', 'whsec_sandbox']) {
    test(`has neither a platform nor the sandbox in production without Stripe keys ${secret}`, () => {
      const env = { NODE_ENV: 'production', SANDBOX_WEBHOOK_SECRET: secret };
      assert.deepEqual(readConfig(env).processor, {
        platform: undefined,
        scriptUrl: 'https://js.stripe.com/endive/stripe.js',
        livemode: true,
      });
    });
  }

  for (const [variables, problem] of [
    [{ API_PORT: 'http' }, /^API_PORT /],
    [{ API_PORT: '70000' }, /^API_PORT /],
    [{ API_BASE_URL: 'ftp://x' }, /^API_BASE_URL must be an http/],
    [{ DATABASE_URL: 'mysql://x' }, /^DATABASE_URL must be a postgres/],
    [{ DATABASE_URL: 'postgres://x/y' }, /^API_SECRET is required together with DATABASE_URL/],
    [{ API_SECRET: 'short' }, /^API_SECRET must have at least 32/],
    [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL /],
    [{ API_PORT: 'x', LOG_LEVEL: 'y' }, /^API_PORT .*\nLOG_LEVEL /],
    [{ STRIPE_SECRET_KEY: 'pk_test_1' }, /^STRIPE_SECRET_KEY must start/],
    [{ ...STRIPE_ENV, STRIPE_WEBHOOK_SECRET: '' }, /^STRIPE_WEBHOOK_SECRET: missing/],
    [
      { NODE_ENV: 'production', STRIPE_SECRET_KEY: 'sk_live_1' },
      /^STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET: missing/,
    ],
    [
      { ...STRIPE_ENV, STRIPE_PUBLISHABLE_KEY: 'pk_test_1' },
      /^STRIPE_PUBLISHABLE_KEY: one .* live/,
    ],
  ] as [Record<string, string>, RegExp][]) {
    test(`rejects ${JSON.stringify(variables)}`, () => {
      assert.throws(() => readConfig(variables), { message: problem });
    });
  }

  for (const content of ['', 'short', ' '.repeat(43)]) {
    test(`rejects a secret file that contains ${JSON.stringify(content)}`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'connect-config-'));
      const path = join(folder, 'api-secret');
      await writeFile(path, content);
      const { loadOrCreateSecret } = readConfig({ DATA_DIR: folder });
      assert.throws(loadOrCreateSecret, ({ message }: Error) => {
        assert.ok(message.startsWith(`${path} is damaged: it has ${content.trim().length} char`));
        return /Restore the file from a backup/.test(message);
      });
      assert.equal(await readFile(path, 'utf8'), content); // The damaged file is not replaced.
      await rm(folder, { recursive: true });
    });
  }

  test('leaves no partial secret file when the disk is full', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'connect-config-'));
    const disk = fillDisk(folder);
    if (!disk) return t.skip('needs the right to mount a file system');
    try {
      assert.throws(readConfig({ DATA_DIR: folder }).loadOrCreateSecret, { code: 'ENOSPC' });
      assert.deepEqual(await readdir(folder), ['filling']);
      disk.free();
      assert.equal(readConfig({ DATA_DIR: folder }).loadOrCreateSecret().length, 43);
    } finally {
      disk.unmount();
      await rm(folder, { recursive: true });
    }
  });

  test("creates one secret file in the data folder, readable only by the file's owner", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'connect-config-'));
    const { loadOrCreateSecret } = readConfig({ DATA_DIR: folder });
    assert.equal(loadOrCreateSecret(), readConfig({ DATA_DIR: folder }).loadOrCreateSecret());
    const path = join(folder, 'api-secret');
    assert.equal((await readFile(path, 'utf8')).length, 43);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    await rm(folder, { recursive: true });
  });
});
