import assert from 'node:assert/strict';
import { hkdfSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { CompactEncrypt, compactDecrypt } from 'jose';
import { createEncrypter } from './encrypter.ts';

const SECRET = 'a secret of thirty-two characters';
const TEXT = 'Zoë gave 50 €, "kindly"\n'.repeat(20);
const seal = createEncrypter(SECRET, 'test');
const key = new Uint8Array(hkdfSync('sha256', SECRET, '', 'connect-embed test', 32));

describe('an encrypted text', () => {
  test('decrypts to the original, and differs each time', async () => {
    for (const text of ['', TEXT]) {
      const sealed = await seal.encrypt(text);
      assert.equal(await seal.decrypt(sealed), text);
      assert.notEqual(await seal.encrypt(text), sealed);
    }
  });

  test('is a JWE: other JOSE libraries read it, and theirs are read here', async () => {
    const { plaintext, protectedHeader } = await compactDecrypt(await seal.encrypt(TEXT), key);
    assert.equal(new TextDecoder().decode(plaintext), TEXT);
    assert.deepEqual(protectedHeader, { alg: 'dir', enc: 'A256GCM' });
    const theirs = await new CompactEncrypt(new TextEncoder().encode(TEXT))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .encrypt(key);
    assert.equal(await seal.decrypt(theirs), TEXT);
  });

  test('decrypts only with the same secret and purpose', async () => {
    const sealed = await seal.encrypt(TEXT);
    assert.equal(await createEncrypter(SECRET, 'other').decrypt(sealed), undefined);
    assert.equal(await createEncrypter(`${SECRET}.`, 'test').decrypt(sealed), undefined);
  });

  test('does not decrypt if a character was changed, added or removed', async () => {
    const sealed = await seal.encrypt('short');
    for (let at = 0; at < sealed.length; at += 1) {
      const other = sealed[at] === 'A' ? 'B' : 'A';
      for (const changed of [other, '', `${sealed[at]}A`, `${sealed[at]}=`, `${sealed[at]}.`]) {
        const text = sealed.slice(0, at) + changed + sealed.slice(at + 1);
        assert.equal(await seal.decrypt(text), undefined, text);
      }
    }
  });

  test('is rejected if it is malformed', async () => {
    const { 0: header } = (await seal.encrypt('')).split('.');
    for (const text of ['', '.', '....', `${header}....`, `${header}..A.A.A`, 'ü..ü.ü.ü']) {
      assert.equal(await seal.decrypt(text), undefined, text);
    }
  });
});
