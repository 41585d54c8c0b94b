import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { VisitorTokens } from './visitor-tokens.ts';

const SECRET = 'a secret of this test, which is long enough';
const ORIGIN = 'https://www.example.org';
const now = Date.parse('2026-03-01T12:00:00Z');
const tokens = new VisitorTokens(SECRET, () => now);
const visitor = { id: 'v1', form: 'Zoë', version: 2, key: 'endofkey', origin: ORIGIN };
const token = await tokens.sign(visitor, now + 60_999);

const verify = (text: string, by = tokens) => by.verify(`Bearer ${text}`, ORIGIN);
const unauthorized = { type: 'unauthorized' };

describe('a session token', () => {
  test('names the visitor, and expires with a full second', async () => {
    assert.deepEqual(await verify(token), visitor);
    assert.equal(decodeJwt(token).exp, now / 1000 + 60);
    const at = (time: number) => new VisitorTokens(SECRET, () => time);
    assert.deepEqual(await verify(token, at(now + 59_999)), visitor);
    await assert.rejects(verify(token, at(now + 60_000)), { message: /has expired/ });
  });

  test('is accepted only for its origin, and with the same secret', async () => {
    await assert.rejects(tokens.verify(`Bearer ${token}`, 'https://evil.example'), unauthorized);
    await assert.rejects(verify(token, new VisitorTokens(`${SECRET}.`, () => now)), unauthorized);
    await assert.rejects(tokens.verify(undefined, ORIGIN), { code: 'credential_missing' });
  });

  test('is accepted only with its type, algorithm and all claims', async () => {
    const header = decodeProtectedHeader(token) as { alg: string; typ: string };
    const claims = decodeJwt(token);
    const sign = (changedHeader: object, changedClaims: object) =>
      new SignJWT({ ...claims, ...changedClaims })
        .setProtectedHeader({ ...header, ...changedHeader })
        .sign(new TextEncoder().encode(SECRET));
    assert.deepEqual(await verify(await sign({}, {})), visitor);
    for (const [changedHeader, changedClaims] of [
      [{ alg: 'HS512' }, {}],
      [{ typ: 'JWT' }, {}],
      [{ typ: undefined }, {}],
      [{}, { key: undefined }],
      [{}, { exp: undefined }],
    ]) {
      const other = await sign(changedHeader!, changedClaims!);
      await assert.rejects(verify(other), unauthorized);
    }
    const unsigned = `${btoa('{"alg":"none"}').replaceAll('=', '')}.${token.split('.')[1]}.`;
    await assert.rejects(verify(unsigned), unauthorized);
  });

  test('is rejected if a character was changed, added or removed, or it is malformed', async () => {
    for (let at = 0; at < token.length; at += 1) {
      const character = token[at]!;
      for (const changed of [character === 'A' ? 'z' : 'A', '', `${character}.`]) {
        const text = token.slice(0, at) + changed + token.slice(at + 1);
        await assert.rejects(verify(text), unauthorized, text);
      }
    }
    const [head] = token.split('.');
    for (const text of ['.', '..', 'a.b.c', `${head}`, `${head}.`, `${head}..`, 'ü.ü.ü'])
      await assert.rejects(verify(text), unauthorized, text);
  });
});
