import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { loadConnectConfig, readEnvironment } from './config.ts';

const VALID_ENV = {
  CONNECT_API_KEY: 'gb_live_key',
  SESSION_SECRET: 'a session secret of this test that is long enough',
};
const VIEWER_SECRET = 'a viewer secret of this test that is long enough';

const folder = await mkdtemp(join(tmpdir(), 'connect-config-'));
after(() => rm(folder, { recursive: true }));

const file = async (name: string, text: string) => {
  await writeFile(join(folder, name), text);
  return join(folder, name);
};

describe('readEnvironment', () => {
  test('requires a credential and a secret, and has defaults for the rest', () => {
    assert.partialDeepStrictEqual(readEnvironment(VALID_ENV), {
      SERVER_PORT: 4100,
      HOST: '127.0.0.1',
      CONNECT_API_BASE: 'http://localhost:4000/api/v1',
      ALLOWED_ORIGINS: [],
      TRUST_PROXY: 0,
    });
  });

  test('treats an empty variable as absent', () => {
    assert.equal(
      readEnvironment({ ...VALID_ENV, SERVER_PORT: '', VIEWER_SECRET: '' }).SERVER_PORT,
      4100,
    );
    assert.throws(
      () => readEnvironment({ ...VALID_ENV, CONNECT_API_KEY: '' }),
      /^ConfigError: CONNECT_API_KEY is required/,
    );
  });

  test('splits origins at commas', () => {
    const ALLOWED_ORIGINS = ' https://a.example, https://*.b.example,http://localhost:4200 ,';
    assert.deepEqual(readEnvironment({ ...VALID_ENV, ALLOWED_ORIGINS }).ALLOWED_ORIGINS, [
      'https://a.example',
      'https://*.b.example',
      'http://localhost:4200',
    ]);
  });

  for (const [name, value] of [
    ['SERVER_PORT', 'abc'],
    ['SERVER_PORT', '70000'],
    ['CONNECT_API_BASE', 'localhost:4000'],
    ['CONNECT_API_KEY', 'two words'],
    ['SESSION_SECRET', 'short'],
    ['SESSION_SECRET', `${VALID_ENV.SESSION_SECRET},short`],
    ['SESSION_SECRET', Array(3).fill(VALID_ENV.SESSION_SECRET).join()],
    ['VIEWER_SECRET', 'short'],
    ['VIEWER_JWKS_URL', 'keys'],
    ['ALLOWED_ORIGINS', 'https://a.example/path'],
    ['ALLOWED_ORIGINS', 'https://*.org'],
    ['ALLOWED_ORIGINS', 'https://*.co.uk'],
    ['ALLOWED_ORIGINS', 'https://*.vercel.app'],
    ['ALLOWED_ORIGINS', '*'],
    ['TRUST_PROXY', 'yes'],
    ['LOG_LEVEL', 'loud'],
  ] as const) {
    test(`rejects ${name}=${value} with an error that names the variable`, () => {
      assert.throws(
        () => readEnvironment({ ...VALID_ENV, [name]: value }),
        new RegExp(`${name}.* `),
      );
    });
  }

  test('reports every invalid variable at once', () => {
    assert.throws(() => readEnvironment({}), /CONNECT_API_KEY .*\nSESSION_SECRET /);
  });

  test('rejects two ways of verifying viewers', () => {
    const env = { ...VALID_ENV, VIEWER_SECRET, VIEWER_JWKS_URL: 'https://id.example/keys' };
    assert.throws(() => readEnvironment(env), /VIEWER_SECRET and VIEWER_JWKS_URL/);
  });
});

describe('connect.config.ts', () => {
  const load = async (text: string, env: Record<string, string> = {}) => {
    const path = await file(`${crypto.randomUUID()}.ts`, text);
    return loadConnectConfig(readEnvironment({ ...VALID_ENV, ...env, CONNECT_CONFIG: path }));
  };

  test('is TypeScript, and the environment is merged into it', async () => {
    const text = `const forms: object = { gala: { amount_locked: true, preset_amounts_cents: [5000] } };
      export default { origins: ['https://a.example'], forms };`;
    const config = await load(text, {
      ALLOWED_ORIGINS: 'https://b.example,https://a.example',
      VIEWER_SECRET,
    });
    assert.deepEqual(config, {
      origins: ['https://a.example', 'https://b.example'],
      forms: { gala: { amount_locked: true, preset_amounts_cents: [5000] } },
      viewer: { secret: [VIEWER_SECRET] },
    });
  });

  test('may be JavaScript, which every Node can read', async (t) => {
    const before = process.cwd();
    process.chdir(await mkdtemp(join(folder, 'cwd-')));
    t.after(() => process.chdir(before));
    for (const name of ['connect.config.mjs', 'connect.config.js']) {
      await writeFile(name, `export default { origins: ['https://${name}.example'] };`);
      const { origins } = await loadConnectConfig(readEnvironment(VALID_ENV));
      assert.deepEqual(origins, [`https://${name}.example`]);
    }
  });

  test('is optional', async () => {
    assert.deepEqual(await loadConnectConfig(readEnvironment(VALID_ENV)), { origins: [] });
  });

  for (const [description, text, expectedMessage] of [
    ['a misspelled key', 'export default { form: {} }', /\.ts: form is not a known option/],
    [
      'an invalid amount',
      'export default { forms: { a: { min_amount_cents: 1 } } }',
      /forms\.a\.min_amount_cents /,
    ],
    [
      'an origin with a path',
      'export default { origins: ["https://a.example/"] }',
      /origins\.0 must be an origin/,
    ],
    ['no default export', 'export const config = {}', /default export /],
    ['a syntax error', 'export default {', /could not be loaded/],
  ] as const) {
    test(`with ${description} is rejected with an error that names the place`, async () => {
      await assert.rejects(load(text), expectedMessage);
    });
  }

  test('that is configured but missing is an error', async () => {
    const env = readEnvironment({ ...VALID_ENV, CONNECT_CONFIG: join(folder, 'nothing.ts') });
    await assert.rejects(
      loadConnectConfig(env),
      /CONNECT_CONFIG: the file .*nothing\.ts does not exist/,
    );
  });
});
