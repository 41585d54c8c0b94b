import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ProofOfWork } from '@connect-embed/contract/proof-of-work';
import { solveProof } from '@connect-embed/contract/solve-proof';
import { SignJWT } from 'jose';
import { Encrypter } from '../platform/encrypter.ts';
import { openServer } from '../test-support/embedding-page.ts';
import { startUpstream } from '../test-support/upstream.ts';

const OLD = 'an old session secret, which is long enough';
const NEW = 'a new session secret, which is long enough';
const BOTH = [NEW, OLD] as [string, string];

const upstream = await startUpstream();
const openWith = (sessionSecret: string | [string, string]) =>
  openServer(upstream.apiBase, { sessionSecret });

describe('SESSION_SECRET=new,old', () => {
  test('accepts sessions of the old secret, and signs with the new one', async () => {
    const old = await openWith(OLD).openForm();
    const overlap = openWith(BOTH);
    const donate = async (server: ReturnType<typeof openWith>, token: string) =>
      (await server.createPaymentIntent(token)).status;
    assert.equal(await donate(overlap, old.session_token), 201);
    const renewed = await overlap.openForm();
    assert.equal(await donate(openWith(NEW), renewed.session_token), 201);
    assert.equal(await donate(openWith(NEW), old.session_token), 401);
  });

  test('decrypts the tokens of connected organizations', async () => {
    const expiresAt = Math.floor(Date.now() / 1000) + 60;
    const encrypter = (secret: string | [string, string]) => new Encrypter(secret, 'tokens');
    const encrypted = await encrypter(OLD).encrypt({ token: 'a' }, expiresAt);
    const decrypt = async (secret: string | [string, string]) =>
      (await encrypter(secret).decrypt<{ token: string }>(encrypted, Date.now()))?.token;
    assert.equal(await decrypt(BOTH), 'a');
    assert.equal(await decrypt(NEW), undefined);
  });

  test('accepts proofs of work for a challenge of the old secret', async () => {
    const binding = { visitor: 'v', idempotencyKey: 'k' };
    const proofs = (secret: string | [string, string]) =>
      new ProofOfWork({ secret, iterations: 1, now: Date.now });
    const proof = await solveProof(await proofs(OLD).challenge(binding, 1));
    assert.equal(await proofs(BOTH).verify(proof, binding), 1);
    assert.equal(await proofs(NEW).verify(proof, binding), 0);
  });
});

test('VIEWER_SECRET=new,old accepts viewer tokens of both until the old one is removed', async () => {
  const request = async (secret: string | [string, string], signedWith: string) => {
    const token = await new SignJWT({ sub: 'viewer' })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('5m')
      .sign(new TextEncoder().encode(signedWith));
    const page = openServer(upstream.apiBase, { viewer: { secret } });
    const headers = { authorization: `Bearer ${token}` };
    return (await page.post('/component-sessions', { components: ['donations'] }, headers)).status;
  };
  assert.deepEqual(
    [await request(BOTH, OLD), await request(BOTH, NEW), await request(NEW, OLD)],
    [201, 201, 401],
  );
});
