import assert from 'node:assert/strict';
import { createHmac as createNodeHmac } from 'node:crypto';
import { test } from 'node:test';
import { createHmac } from './hmac.ts';

test('an HMAC is that of every other library, and a key can be used many times', () => {
  for (const secret of ['short', 'ü', 'longer than the block of SHA-256, '.repeat(3)]) {
    const hmac = createHmac(secret);
    for (const text of ['', 'Zoë gave 50 €', 'x'.repeat(200)]) {
      const expected = createNodeHmac('sha256', secret).update(text).digest('hex');
      assert.equal(Buffer.from(hmac(text)).toString('hex'), expected);
    }
  }
});
