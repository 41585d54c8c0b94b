import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { SignedTokens } from './signed-tokens.ts';

const SECRET = 'a secret of this test, which is long enough';
const TYPE = 'test+jwt';
const Claims = z.object({ sub: z.string(), exp: z.number() });
const tokens = new SignedTokens(SECRET, TYPE, Claims);
const claims = { sub: 'Zoë', exp: 4e9 };
const key = new TextEncoder().encode(SECRET);

const signWithJose = (header: { alg: string; typ: string }, content: object = claims) =>
  new SignJWT({ ...content }).setProtectedHeader(header).sign(key);

describe('a signed token', () => {
  test('is a JWT: other JOSE libraries read it, and theirs are read here', async () => {
    const { payload, protectedHeader } = await jwtVerify(tokens.sign(claims), key);
    assert.deepEqual([payload, protectedHeader], [claims, { alg: 'HS256', typ: TYPE }]);
    const token = await signWithJose({ alg: 'HS256', typ: TYPE });
    assert.deepEqual(tokens.verify(token), claims);
  });

  test('is accepted only with the same secret, type and algorithm', async () => {
    const token = tokens.sign(claims);
    assert.equal(new SignedTokens(`${SECRET}.`, TYPE, Claims).verify(token), undefined);
    assert.equal(new SignedTokens(SECRET, 'other+jwt', Claims).verify(token), undefined);
    const otherAlgorithm = await signWithJose({ alg: 'HS512', typ: TYPE });
    assert.equal(tokens.verify(otherAlgorithm), undefined);
  });

  test('is accepted only with all claims', async () => {
    const token = await signWithJose({ alg: 'HS256', typ: TYPE }, { sub: 'x' });
    assert.equal(tokens.verify(token), undefined);
  });

  test('is rejected if a character was changed, added or removed', () => {
    const token = tokens.sign(claims);
    for (let at = 0; at < token.length; at += 1) {
      const character = token[at]!;
      const other = character === 'A' ? 'B' : 'A';
      for (const changed of [other, '', `${character}A`, `${character}=`, `${character}.`]) {
        const text = token.slice(0, at) + changed + token.slice(at + 1);
        assert.equal(tokens.verify(text), undefined, text);
      }
    }
  });

  test('is rejected if it is malformed', () => {
    const [header] = tokens.sign(claims).split('.');
    for (const text of ['', '.', '..', 'a.b.c', `${header}`, `${header}.`, `${header}..`, 'ü.ü.ü'])
      assert.equal(tokens.verify(text), undefined, text);
  });
});
