import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ProofOfWork } from './proof-of-work.ts';
import { solveProof } from './solve-proof.ts';

const SECRET = 'a session secret of this test that is long enough';
const PURPOSE = { visitor: 'v1', idempotencyKey: 'donation-1' };

describe('ProofOfWork', () => {
  let clock = Date.now();
  const proofsWith = (secret: string) =>
    new ProofOfWork({ secret, iterations: 10, now: () => clock });
  const proofs = proofsWith(SECRET);

  test('accepts a solved challenge', async () => {
    const proof = await solveProof(await proofs.challenge(PURPOSE, 1));
    assert.equal(await proofs.verify(proof, PURPOSE), 1);
  });

  test('rejects the proof of another visitor or another donation', async () => {
    const proof = await solveProof(await proofs.challenge(PURPOSE, 1));
    assert.equal(await proofs.verify(proof, { ...PURPOSE, visitor: 'v2' }), 0);
    assert.equal(await proofs.verify(proof, { ...PURPOSE, idempotencyKey: 'donation-2' }), 0);
  });

  test('rejects a proof that is older than ten minutes', async () => {
    const proof = await solveProof(await proofs.challenge(PURPOSE, 1));
    clock += 601_000;
    assert.equal(await proofs.verify(proof, PURPOSE), 0);
  });

  test('rejects a challenge that was signed with another secret', async () => {
    const otherProofs = proofsWith(`${SECRET}!`);
    const proof = await solveProof(await otherProofs.challenge(PURPOSE, 1));
    assert.equal(await proofs.verify(proof, PURPOSE), 0);
  });

  test('rejects a challenge whose level was changed, and a wrong solution', async () => {
    const { challenge, solution } = JSON.parse(
      atob(await solveProof(await proofs.challenge(PURPOSE, 1))),
    ) as { challenge: { parameters: { data: object } }; solution: { derivedKey: string } };
    const parameters = {
      ...challenge.parameters,
      data: { ...challenge.parameters.data, level: 6 },
    };
    const changedLevel = { challenge: { ...challenge, parameters }, solution };
    assert.equal(await proofs.verify(btoa(JSON.stringify(changedLevel)), PURPOSE), 0);
    const guessedSolution = { challenge, solution: { counter: 1, derivedKey: '00'.repeat(32) } };
    assert.equal(await proofs.verify(btoa(JSON.stringify(guessedSolution)), PURPOSE), 0);
  });

  for (const proof of ['', '{}', btoa('{}'), btoa('null'), 'é', 'A'.repeat(5000)]) {
    test(`rejects ${JSON.stringify(proof.slice(0, 12))}, naming Proof`, async () => {
      await assert.rejects(proofs.verify(proof, PURPOSE), {
        type: 'invalid_request',
        message: /^Proof /,
      });
    });
  }

  describe('requires more work at a higher level', () => {
    /**
     * Solves 40 challenges: enough that both a small and a large counter are practically certain.
     */
    const derivations = async (level: number) => {
      const counters: number[] = [];
      for (let i = 0; i < 40; i++) {
        const proof = await solveProof(await proofs.challenge(PURPOSE, level));
        counters.push(
          (JSON.parse(atob(proof)) as { solution: { counter: number } }).solution.counter,
        );
      }
      return { least: Math.min(...counters), most: Math.max(...counters) };
    };

    for (const [level, limit] of [
      [1, 100],
      [3, 400],
    ] as const) {
      test(`at level ${level} below ${limit}, without a known minimum`, async () => {
        const { least, most } = await derivations(level);
        assert.ok(most >= limit / 2 && most < limit, String(most));
        assert.ok(least < limit / 2, String(least));
      });
    }
  });
});
