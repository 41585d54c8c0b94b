import assert from 'node:assert/strict';
import { scryptSync } from 'node:crypto';
import { test } from 'node:test';
import { openPasswordHashing } from './password-hashing.ts';

const { hash, verify } = openPasswordHashing();

test('a password is stored as its scrypt key and a new salt, at a cost of 32 MiB', async () => {
  const password = 'correct horse battery';
  const [stored, other] = [await hash(password), await hash(password)];
  assert.notEqual(stored, other);
  const [salt = '', key] = stored.split(':');
  assert.match(salt, /^[0-9a-f]{32}$/);
  const cost = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 };
  assert.equal(key, scryptSync(password, salt, 64, cost).toString('hex'));
});

test('only the same password is accepted', async () => {
  const stored = await hash('correct horse battery');
  assert.equal(await verify({ hash: stored, password: 'correct horse battery' }), true);
  assert.equal(await verify({ hash: stored, password: 'correct horse batteries' }), false);
});
