import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, describe, test } from 'node:test';
import {
  HOSTILE_DNS_RECORDS,
  HOSTILE_URLS,
  PUBLIC_ADDRESSES,
} from '../../test-support/inputs/hostile-urls.ts';
import { startReceiver } from '../../test-support/network/webhook-receiver.ts';
import { createSsrfSafeAgent } from './ssrf-safe-agent.ts';
import { isPublicAddress } from './public-address.ts';
import { PublicHosts, RefusedUrlError, type Lookup } from './public-host.ts';
import { createSender } from './send.ts';

const PUBLIC = ['93.184.216.34'];
/** A resolver with public addresses, except for the host names in HOSTILE_DNS_RECORDS. */
const hostileLookup: Lookup = async (hostname) => [...(HOSTILE_DNS_RECORDS[hostname] ?? PUBLIC)];

const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' };

/** Sends attempts as the worker does. */
function senderOn(hosts: PublicHosts, timeoutMs = 20_000) {
  const agent = createSsrfSafeAgent(hosts);
  after(() => agent.destroy());
  const send = createSender({ hosts, agent, timeoutMs });
  return (url: string) => send({ url, headers, body: '{}' });
}

/** Timeout of attempts to public addresses, which a test cannot reach. */
const ATTEMPT_TIMEOUT_MS = 300;

/** Whether a message contains no name or address of an internal network. */
const revealsNothing = (message: string) =>
  !/\d+\.\d+|::|fe80|fd00|10\.|127|169|internal|ECONN/.test(message);

describe('the rule for public hosts', () => {
  const hosts = new PublicHosts({ lookup: hostileLookup });
  const send = senderOn(hosts);
  const urlsOfHostileNames = Object.keys(HOSTILE_DNS_RECORDS).map((name) => `https://${name}/`);

  for (const url of [...HOSTILE_URLS, ...urlsOfHostileNames]) {
    test(`rejects ${JSON.stringify(url)} at registration and when connecting`, async () => {
      await assert.rejects(hosts.check(url), (error) => {
        return error instanceof RefusedUrlError && revealsNothing(error.message);
      });
      const { status, error } = await send(url);
      assert.equal(status, null);
      assert.match(error!, /^Not sent: /);
      assert.ok(revealsNothing(error!), error!);
    });
  }

  test(`is tested with ${HOSTILE_URLS.length + urlsOfHostileNames.length} hostile URLs`, () => {
    assert.ok(HOSTILE_URLS.length + urlsOfHostileNames.length >= 100);
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
    test(`accepts ${url}`, async () => {
      await hosts.check(url);
    });
  }

  test('distinguishes public addresses from all others', () => {
    for (const address of PUBLIC_ADDRESSES) assert.ok(isPublicAddress(address), address);
    for (const text of ['', 'example.org', '127.1', '0x7f000001', '8.8.8.8/32', '8.8.8.8:443']) {
      assert.ok(!isPublicAddress(text), text);
    }
  });
});

describe('a host name that resolves to another address later', () => {
  test('is rejected when connecting, although it was public at registration', async () => {
    let lookupCount = 0;
    const rebinding: Lookup = async () => (lookupCount++ === 0 ? PUBLIC : ['127.0.0.1']);
    const hosts = new PublicHosts({ lookup: rebinding });
    await hosts.check('https://hooks.receiver.example/');
    const { error } = await senderOn(hosts)('https://hooks.receiver.example/');
    assert.equal(error, 'Not sent: the URL must have a public host.');
    assert.equal(lookupCount, 2);
  });

  test('is rejected when the next attempt connects', async () => {
    const addresses = [PUBLIC, PUBLIC, ['10.0.0.7']];
    const hosts = new PublicHosts({ lookup: async () => addresses.shift() ?? [] });
    await hosts.check('https://hooks.receiver.example/');
    const first = await senderOn(hosts, ATTEMPT_TIMEOUT_MS)('https://hooks.receiver.example/');
    // It was connected to; there is no server at this address.
    assert.doesNotMatch(first.error!, /^Not sent/);
    const second = await senderOn(hosts)('https://hooks.receiver.example/');
    assert.match(second.error!, /must have a public host/);
  });
});

describe('the agent without a check of the URL', () => {
  const agent = createSsrfSafeAgent(new PublicHosts({ lookup: hostileLookup }));
  after(() => agent.destroy());
  const dial = (url: string) => once(agent.request(url, { method: 'POST' }).end('{}'), 'response');

  test('rejects a literal address, which is not looked up, before it connects', async () => {
    let connections = 0;
    const localServer = createServer((socket) => (connections++, socket.destroy()));
    await new Promise<void>((done) => localServer.listen(0, '127.0.0.1', done));
    after(() => localServer.close());
    const { port } = localServer.address() as { port: number };
    for (const scheme of ['http', 'https']) {
      await assert.rejects(dial(`${scheme}://127.0.0.1:${port}/`), RefusedUrlError);
      await assert.rejects(dial(`${scheme}://[::ffff:127.0.0.1]:${port}/`), RefusedUrlError);
      await assert.rejects(dial(`${scheme}://loopback.receiver.example:${port}/`), RefusedUrlError);
    }
    assert.equal(connections, 0);
  });

  test('uses no proxy of the environment', async () => {
    const proxy = await startReceiver();
    after(proxy.stop);
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy', 'ALL_PROXY']) {
      const before = process.env[name];
      process.env[name] = `http://${proxy.host}`;
      after(() => {
        if (before === undefined) delete process.env[name];
        else process.env[name] = before;
      });
    }
    await assert.rejects(dial('https://loopback.receiver.example/'), RefusedUrlError);
    await senderOn(
      new PublicHosts({ lookup: hostileLookup }),
      ATTEMPT_TIMEOUT_MS,
    )('https://hooks.receiver.example/');
    assert.equal(proxy.received.length, 0);
  });
});

describe('allowed hosts of the configuration', () => {
  test('may use http and be private, on the allowed port only', async () => {
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
    assert.match((await send(other.url)).error!, /^Not sent: the URL must use https/);
    assert.equal(other.received.length, 0);
  });
});

describe('name servers', () => {
  test('are queried again when an event is sent', async () => {
    let lookupCount = 0;
    const server = await startNameServer(() => (lookupCount++ < 2 ? PUBLIC : ['127.0.0.1']));
    after(server.stop);
    const hosts = new PublicHosts({ nameServers: [server.address] });
    await hosts.check('https://hooks.receiver.example/'); // Queries A and AAAA records.
    const { error } = await senderOn(hosts)('https://hooks.receiver.example/');
    assert.equal(error, 'Not sent: the URL must have a public host.');
  });

  test('that do not respond cost a limited time, and block nothing else', async () => {
    const server = await startNameServer(() => undefined);
    after(server.stop);
    const hosts = new PublicHosts({ nameServers: [server.address] });
    const at = Date.now();
    let extraCount = 0;
    const checks = Array.from({ length: 50 }, (_, index) =>
      assert
        .rejects(hosts.check(`https://${index}.receiver.example/`), /can be resolved/)
        .finally(() => (extraCount += 1)),
    );
    await lookup('localhost'); // Needs one of the four threads of libuv's pool.
    await readFile(import.meta.filename);
    assert.equal(extraCount, 0, 'it waited for none of them');
    await Promise.all(checks);
    assert.ok(Date.now() - at < 10_000, `${Date.now() - at} ms`);
  });
});

/**
 * Starts a DNS server whose responses the test defines, with a TTL of 0. It simulates DNS rebinding,
 * where a name changes its address between two lookups.
 *
 * @param addressesFor returns the IPv4 addresses of a name; undefined to send no response
 */
async function startNameServer(addressesFor: (name: string) => readonly string[] | undefined) {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    const addresses = addressesFor(name);
    if (!addresses) return;
    const records = type === TYPE_A ? addresses.map(recordOf) : [];
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180, 2); // Flags: a response without error.
    header.writeUInt16BE(records.length, 6);
    header.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), port, address);
  });
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    stop: () => new Promise<void>((done) => socket.close(done)),
  };
}

const TYPE_A = 1;

function readQuestion(message: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at]!; length > 0; length = message[at]!) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/**
 * Encodes a DNS record: a pointer to the name in the question, type A, class IN, TTL 0, and the four
 * bytes of the address.
 */
const recordOf = (address: string) =>
  Buffer.from([0xc0, 0x0c, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]);
