import assert from 'node:assert/strict';
import { hkdfSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { CompactEncrypt, compactDecrypt, flattenedDecrypt } from 'jose';
import { createEncrypter } from './encrypter.ts';

const SECRET = 'a secret of thirty-two characters';
const TEXT = 'Zoë gave 50 €, "kindly"\n'.repeat(20);
const encrypter = createEncrypter(SECRET, 'test');
const key = new Uint8Array(hkdfSync('sha256', SECRET, '', 'connect-embed test', 32));

describe('an encrypted text', () => {
  test('decrypts to the original, and differs each time', async () => {
    for (const text of ['', TEXT]) {
      const ciphertext = await encrypter.encrypt(text);
      assert.equal(await encrypter.decrypt(ciphertext), text);
      assert.notEqual(await encrypter.encrypt(text), ciphertext);
    }
  });

  test('is a JWE: other JOSE libraries read it, and theirs are read here', async () => {
    const { plaintext, protectedHeader } = await compactDecrypt(await encrypter.encrypt(TEXT), key);
    assert.equal(new TextDecoder().decode(plaintext), TEXT);
    assert.deepEqual(protectedHeader, { alg: 'dir', enc: 'A256GCM' });
    const jwe = await new CompactEncrypt(new TextEncoder().encode(TEXT))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .encrypt(key);
    assert.equal(await encrypter.decrypt(jwe), TEXT);
  });

  test('decrypts only in its context, which is the additional authenticated data of the JWE', async () => {
    const ciphertext = await encrypter.encrypt(TEXT, 'Zoë');
    assert.equal(await encrypter.decrypt(ciphertext, 'Zoë'), TEXT);
    for (const context of ['', 'Zoé', undefined])
      assert.equal(await encrypter.decrypt(ciphertext, context), undefined, context);
    assert.equal(await encrypter.decrypt(await encrypter.encrypt(TEXT), ''), undefined);
    const [header, , iv, body, tag] = ciphertext.split('.');
    const { plaintext } = await flattenedDecrypt(
      {
        ...{ protected: header!, iv: iv!, ciphertext: body!, tag: tag! },
        aad: Buffer.from('Zoë').toString('base64url'),
      },
      key,
    );
    assert.equal(new TextDecoder().decode(plaintext), TEXT);
  });

  test('decrypts only with the same secret and purpose', async () => {
    const ciphertext = await encrypter.encrypt(TEXT);
    assert.equal(await createEncrypter(SECRET, 'other').decrypt(ciphertext), undefined);
    assert.equal(await createEncrypter(`${SECRET}.`, 'test').decrypt(ciphertext), undefined);
  });

  test('does not decrypt if a character was changed, added or removed', async () => {
    const ciphertext = await encrypter.encrypt('short');
    for (let at = 0; at < ciphertext.length; at += 1) {
      const other = ciphertext[at] === 'A' ? 'B' : 'A';
      for (const changed of [
        other,
        '',
        `${ciphertext[at]}A`,
        `${ciphertext[at]}=`,
        `${ciphertext[at]}.`,
      ]) {
        const text = ciphertext.slice(0, at) + changed + ciphertext.slice(at + 1);
        assert.equal(await encrypter.decrypt(text), undefined, text);
      }
    }
  });

  test('is rejected if it is malformed', async () => {
    const { 0: header } = (await encrypter.encrypt('')).split('.');
    for (const text of ['', '.', '....', `${header}....`, `${header}..A.A.A`, 'ü..ü.ü.ü']) {
      assert.equal(await encrypter.decrypt(text), undefined, text);
    }
  });
});
