import assert from 'node:assert/strict';
import { lookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { after, describe, test } from 'node:test';
import { request } from 'undici';
import {
  HOSTILE_ANSWERS,
  HOSTILE_URLS,
  PUBLIC_ADDRESSES,
} from '../../test-support/hostile-urls.ts';
import { startNameServer } from '../../test-support/name-server.ts';
import { startReceiver } from '../../test-support/webhook-receiver.ts';
import { createSsrfSafeAgent } from './ssrf-safe-agent.ts';
import { isPublicAddress } from './public-address.ts';
import { PublicHosts, RefusedUrlError, type LookUp } from './public-host.ts';
import { createSender } from './send.ts';

const PUBLIC = ['93.184.216.34'];
/** A resolver that means well, except for the names of the table. */
const lookUp: LookUp = async (hostname) => [...(HOSTILE_ANSWERS[hostname] ?? PUBLIC)];

const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' };

/** Attempts as the deliverer makes them. */
function senderOn(hosts: PublicHosts, timeoutMs = 20_000) {
  const dispatcher = createSsrfSafeAgent(hosts);
  after(() => dispatcher.destroy());
  const send = createSender({ hosts, dispatcher, timeoutMs });
  return (url: string) => send({ url, headers, body: '{}' });
}

/** Where it is dialled: nothing public can be reached from a test, and need not be waited for. */
const CUT_SHORT_MS = 300;

/** No name or number of an inner network may come back to whoever registered a URL. */
const tellsNothing = (message: string) =>
  !/\d+\.\d+|::|fe80|fd00|10\.|127|169|internal|ECONN/.test(message);

describe('the rule for public hosts', () => {
  const hosts = new PublicHosts({ lookUp });
  const send = senderOn(hosts);
  const named = Object.keys(HOSTILE_ANSWERS).map((name) => `https://${name}/`);

  for (const url of [...HOSTILE_URLS, ...named]) {
    test(`refuses ${JSON.stringify(url)} when registered and when dialled`, async () => {
      await assert.rejects(hosts.check(url), (error) => {
        return error instanceof RefusedUrlError && tellsNothing(error.message);
      });
      const { status, error } = await send(url);
      assert.equal(status, null);
      assert.match(error!, /^Not sent: /);
      assert.ok(tellsNothing(error!), error!);
    });
  }

  test(`has ${HOSTILE_URLS.length + named.length} such targets`, () => {
    assert.ok(HOSTILE_URLS.length + named.length >= 100);
  });

  for (const url of [
    'https://hooks.receiver.example/',
    'https://hooks.receiver.example:443/path?query=1',
    'https://hooks.receiver.example./',
    'https://HOOKS.receiver.example/%2e%2e/x',
    'https://bücher.example/',
    'https://93.184.216.34/',
    'https://[2606:4700:4700::1111]/',
  ]) {
    test(`takes ${url}`, async () => {
      await hosts.check(url);
    });
  }

  test('knows public addresses from all others', () => {
    for (const address of PUBLIC_ADDRESSES) assert.ok(isPublicAddress(address), address);
    for (const text of ['', 'example.org', '127.1', '0x7f000001', '8.8.8.8/32', '8.8.8.8:443']) {
      assert.ok(!isPublicAddress(text), text);
    }
  });
});

describe('a name that points elsewhere later', () => {
  test('is refused when dialled, though it was public when registered', async () => {
    let asked = 0;
    const rebinding: LookUp = async () => (asked++ === 0 ? PUBLIC : ['127.0.0.1']);
    const hosts = new PublicHosts({ lookUp: rebinding });
    await hosts.check('https://hooks.receiver.example/');
    const { error } = await senderOn(hosts)('https://hooks.receiver.example/');
    assert.equal(error, 'Not sent: the host must be public.');
    assert.equal(asked, 2);
  });

  test('is refused when the attempt after a good one is dialled', async () => {
    const addresses = [PUBLIC, PUBLIC, ['10.0.0.7']];
    const hosts = new PublicHosts({ lookUp: async () => addresses.shift() ?? [] });
    await hosts.check('https://hooks.receiver.example/');
    const first = await senderOn(hosts, CUT_SHORT_MS)('https://hooks.receiver.example/');
    assert.doesNotMatch(first.error!, /^Not sent/); // It was dialled; nobody answers from there here.
    const second = await senderOn(hosts)('https://hooks.receiver.example/');
    assert.match(second.error!, /must be public/);
  });
});

describe('the dialer, without any check before it', () => {
  const dispatcher = createSsrfSafeAgent(new PublicHosts({ lookUp }));
  after(() => dispatcher.destroy());
  const dial = (url: string) => request(url, { dispatcher, method: 'POST', body: '{}' });

  test('refuses a literal, which no lookup sees, before it connects', async () => {
    let connections = 0;
    const trap = createServer((socket) => (connections++, socket.destroy()));
    await new Promise<void>((done) => trap.listen(0, '127.0.0.1', done));
    after(() => trap.close());
    const { port } = trap.address() as { port: number };
    for (const scheme of ['http', 'https']) {
      await assert.rejects(dial(`${scheme}://127.0.0.1:${port}/`), RefusedUrlError);
      await assert.rejects(dial(`${scheme}://[::ffff:127.0.0.1]:${port}/`), RefusedUrlError);
      await assert.rejects(dial(`${scheme}://loopback.receiver.example:${port}/`), RefusedUrlError);
    }
    assert.equal(connections, 0);
  });

  test('asks no proxy, whatever the environment says', async () => {
    const proxy = await startReceiver();
    after(proxy.stop);
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy', 'ALL_PROXY']) {
      process.env[name] = `http://${proxy.host}`;
      after(() => delete process.env[name]);
    }
    await assert.rejects(dial('https://loopback.receiver.example/'), RefusedUrlError);
    await senderOn(new PublicHosts({ lookUp }), CUT_SHORT_MS)('https://hooks.receiver.example/');
    assert.equal(proxy.received.length, 0);
  });
});

describe('hosts that the configuration allows', () => {
  test('may be plain http and private, on that port alone', async () => {
    const receiver = await startReceiver();
    after(receiver.stop);
    const other = await startReceiver();
    after(other.stop);
    const hosts = new PublicHosts({ allowHosts: [receiver.host] });
    const send = senderOn(hosts);
    await hosts.check(receiver.url);
    assert.equal((await send(receiver.url)).status, 204);
    await assert.rejects(hosts.check(other.url), RefusedUrlError);
    await assert.rejects(hosts.check(receiver.url.replace('localhost', '127.0.0.1')));
    assert.match((await send(other.url)).error!, /^Not sent: must use https/);
    assert.equal(other.received.length, 0);
  });
});

describe('name servers', () => {
  test('are asked again when the notice is sent', async () => {
    let asked = 0;
    const server = await startNameServer(() => (asked++ < 2 ? PUBLIC : ['127.0.0.1']));
    after(server.stop);
    const hosts = new PublicHosts({ nameServers: [server.address] });
    await hosts.check('https://hooks.receiver.example/'); // Asks for both kinds of address.
    const { error } = await senderOn(hosts)('https://hooks.receiver.example/');
    assert.equal(error, 'Not sent: the host must be public.');
  });

  test('that never answer cost a bounded time, and hold up nothing else', async () => {
    const server = await startNameServer(() => undefined);
    after(server.stop);
    const hosts = new PublicHosts({ nameServers: [server.address] });
    const at = Date.now();
    let over = 0;
    const checks = Array.from({ length: 50 }, (_, index) =>
      assert
        .rejects(hosts.check(`https://${index}.receiver.example/`), /cannot be resolved/)
        .finally(() => (over += 1)),
    );
    await lookup('localhost'); // It waits for a thread, of which the process has four.
    await readFile(import.meta.filename);
    assert.equal(over, 0, 'it waited for none of them');
    await Promise.all(checks);
    assert.ok(Date.now() - at < 10_000, `${Date.now() - at} ms`);
  });
});
