import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clientAddress, networkPrefix } from './client-address.ts';

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

test('the address is undefined if the server does not know it', () => {
  assert.equal(clientAddress(0)(new Request('http://localhost/'), undefined), undefined);
});

describe('networkPrefix', () => {
  for (const [address, expected] of [
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:0:1:aaaa::1', '2001:db8:0:1::/64'],
    ['2001:0DB8:0000:0001::2', '2001:db8:0:1::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ] as const) {
    test(`of ${address} is ${expected}`, () => {
      assert.equal(networkPrefix(address), expected);
    });
  }
});
