import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientAddress } from './client-address.ts';

const env = { incoming: { socket: { remoteAddress: '10.0.0.1' } } };

for (const [proxies, forwarded, expected] of [
  [0, '203.0.113.9', '10.0.0.1'],
  [1, undefined, '10.0.0.1'],
  [1, '', '10.0.0.1'],
  [1, '203.0.113.9', '203.0.113.9'],
  [1, '6.6.6.6, 203.0.113.9', '203.0.113.9'],
  [2, '6.6.6.6, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
  [2, '203.0.113.9', '10.0.0.1'],
  [1, '203.0.113.9:41000', '203.0.113.9'],
  [1, '[2001:db8::1]:41000', '2001:db8::1'],
  [1, '2001:db8::1', '2001:db8::1'],
] as const) {
  test(`behind ${proxies} proxies, "${forwarded}" is ${expected}`, () => {
    const headers: Record<string, string> =
      forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    const request = new Request('http://localhost/', { headers });
    assert.equal(clientAddress(proxies)(request, env), expected);
  });
}

test('there is none where the host tells none', () => {
  assert.equal(clientAddress(0)(new Request('http://localhost/'), undefined), undefined);
});
