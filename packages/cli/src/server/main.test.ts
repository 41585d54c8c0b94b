import assert from 'node:assert/strict';
import { connect, createServer, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { FormSession } from '@connect-embed/contract';
import { freePort } from '@connect-embed/api/test-support/processes/free-port';
import { ORIGIN } from '@connect-embed/server/test-support/embedding-page';
import { runServer } from '@connect-embed/server/test-support/run-process';
import { API_KEY, errorResponse, startUpstream } from '@connect-embed/server/test-support/upstream';

const upstream = await startUpstream();
const ENV = { CONNECT_API_BASE: upstream.apiBase, ALLOWED_ORIGINS: ORIGIN };

const post = (address: string, path: string, body: unknown, headers = {}) =>
  fetch(address + path, {
    method: 'POST',
    headers: { origin: ORIGIN, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const otherProgram = createServer().listen(0);
after(() => otherProgram.close());
const portInUse = String((otherProgram.address() as AddressInfo).port);

describe('node packages/cli/src/server/main.ts', () => {
  test('opens a form and a donation over keep-alive connections, and stops cleanly', async () => {
    const server = runServer(ENV);
    const address = await server.address();
    const session = (await (await post(address, '/embed-sessions', {})).json()) as FormSession;
    const headers = { authorization: `Bearer ${session.session_token}`, 'idempotency-key': 'k' };
    const donation = { amount_cents: 5000, donor_email: 'ada@example.org' };
    assert.equal((await post(address, '/payment-intents', donation, headers)).status, 201);
    assert.equal((await fetch(`${address}/readyz?token=secret`)).status, 200);
    const { code, stdout } = await server.stop();
    assert.equal(code, 0);
    for (const secret of [API_KEY, session.session_token, 'ada@', 'token=']) {
      assert.ok(!stdout.includes(secret), `the log has ${secret}`);
    }
    const lines = stdout.trim().split('\n').slice(1);
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { route: string }).route),
      ['/embed-sessions', '/payment-intents', '/readyz'],
    );
  });

  test('returns the error envelope for malformed HTTP requests, and stops on Ctrl-C too', async () => {
    const server = runServer(ENV);
    const port = Number(new URL(await server.address()).port);
    for (const bytes of [
      'BLAH\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: a b\r\n\r\n',
      'POST /embed-sessions HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n',
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    ]) {
      const socket = connect(port, '127.0.0.1');
      socket.end(bytes);
      assert.match(await text(socket), /^HTTP\/1\.1 4\d\d .*"type":"invalid_request"/s);
    }
    assert.equal((await server.stop('SIGINT')).code, 0);
  });

  test('serves below BASE_PATH, and logs its version in each line', async () => {
    const server = runServer({ ...ENV, BASE_PATH: '/connect' });
    const address = await server.address();
    assert.equal((await fetch(`${address}/connect/readyz`)).status, 200);
    assert.equal((await fetch(`${address}/readyz`)).status, 404);
    const [, line] = (await server.stop()).stdout.trim().split('\n');
    const { service, version } = JSON.parse(line!) as { service: string; version: string };
    assert.equal(service, 'server');
    assert.match(version, /^\d+\.\d+\.\d+/);
  });

  test('limits donations by the socket’s address, independent of headers of the visitor', async () => {
    const config = fileURLToPath(
      import.meta.resolve('@connect-embed/server/test-support/one-donation-per-address.config'),
    );
    const donate = async (address: string, forwarded: string) => {
      const session = (await (await post(address, '/embed-sessions', {})).json()) as FormSession;
      const response = await post(
        address,
        '/payment-intents',
        { amount_cents: 5000 },
        {
          authorization: `Bearer ${session.session_token}`,
          'idempotency-key': crypto.randomUUID(),
          'x-forwarded-for': forwarded,
        },
      );
      return response.status;
    };
    const directServer = runServer({ ...ENV, CONNECT_CONFIG: config });
    const address = await directServer.address();
    assert.deepEqual(
      [await donate(address, '1.1.1.1'), await donate(address, '2.2.2.2')],
      [201, 429],
    );
    await directServer.stop();

    const proxiedServer = runServer({ ...ENV, CONNECT_CONFIG: config, TRUST_PROXY: '1' });
    const proxiedAddress = await proxiedServer.address();
    assert.equal(await donate(proxiedAddress, '9.9.9.9, 1.1.1.1'), 201);
    assert.equal(await donate(proxiedAddress, '9.9.9.9, 2.2.2.2'), 201);
    assert.equal(await donate(proxiedAddress, '8.8.8.8, 1.1.1.1'), 429); // The first entry comes from the visitor and is not trusted.
    await proxiedServer.stop();
  });

  test('names the variable to change if the port is in use', async () => {
    const { code, stderr } = await runServer({ ...ENV, SERVER_PORT: portInUse }).exit;
    assert.equal(code, 1);
    assert.equal(
      stderr.trim(),
      `Port ${portInUse} is already in use. Set SERVER_PORT to another port.`,
    );
  });

  test('says at its start in one sentence that the API rejects the key, and keeps running', async () => {
    upstream.failWith(({ path }) =>
      path === '/api/v1/organization'
        ? errorResponse(401, 'unauthorized', 'No such key.')
        : undefined,
    );
    const server = runServer(ENV);
    const address = await server.address();
    await server.waitForOutput(/CONNECT_API_KEY: the API does not accept this key\./);
    const response = await fetch(`${address}/readyz`);
    assert.equal(response.status, 503);
    assert.match(await response.text(), /"code":"credential_rejected"/);
    assert.ok(!(await server.stop()).stdout.includes(API_KEY));
  });

  test('says at its start without an error that nobody has set up the API yet', async () => {
    upstream.failWith(({ path }) =>
      path === '/readyz'
        ? Response.json({ status: 'waiting_for_setup' })
        : errorResponse(401, 'unauthorized', 'No such key.'),
    );
    const server = runServer({ ...ENV, LOG_LEVEL: 'info' });
    const address = await server.address();
    await server.waitForOutput(/Nobody has set up the API yet\./);
    assert.match(await (await fetch(`${address}/readyz`)).text(), /"code":"setup_incomplete"/);
    assert.equal((await fetch(`${address}/give/spring`)).status, 503);
    const { stdout } = await server.stop();
    assert.match(stdout, /nobody has set up the API yet/);
    assert.doesNotMatch(stdout, /"level":[56]0|the API rejected the credential/);
  });

  test('starts while the API is not up yet, and says so', async () => {
    const server = runServer({ ...ENV, CONNECT_API_BASE: 'http://127.0.0.1:9/api/v1' });
    const address = await server.address();
    await server.waitForOutput(/CONNECT_API_BASE: the API does not respond there/);
    assert.match(await (await fetch(`${address}/readyz`)).text(), /"code":"api_unavailable"/);
    assert.equal((await server.stop()).code, 0);
  });

  test('names every missing variable, without a stack', async () => {
    const { code, stderr } = await runServer({ CONNECT_API_KEY: '', SESSION_SECRET: '' }).exit;
    assert.equal(code, 1);
    assert.match(stderr, /^CONNECT_API_KEY .*\nSESSION_SECRET .*\n$/);
  });

  test('in production reports an error at the start as one line of JSON', async () => {
    for (const [variables, message] of [
      [{ CONNECT_API_KEY: '', SESSION_SECRET: '' }, /^CONNECT_API_KEY .*\nSESSION_SECRET /],
      [{ SERVER_PORT: portInUse }, /is already in use/],
    ] as const) {
      const { stderr } = await runServer({ ...ENV, NODE_ENV: 'production', ...variables }).exit;
      assert.equal(stderr.trim().split('\n').length, 1);
      const { level, service, version, msg } = JSON.parse(stderr) as Record<string, unknown>;
      assert.deepEqual([level, service, typeof version], [60, 'server', 'string']);
      assert.match(msg as string, message);
    }
  });

  test('in production has no address that nobody has set', async () => {
    const server = runServer({ ...ENV, NODE_ENV: 'production', SERVER_PORT: await freePort() });
    const address = await server.address();
    assert.doesNotMatch(await (await fetch(`${address}/give/default`)).text(), /rel="canonical"/);
    assert.equal((await post(address, '/embed-sessions', {}, { origin: address })).status, 403);
    assert.match((await server.stop()).stdout, /SERVER_BASE_URL is not set/);
  });

  test('--help lists the variables', async () => {
    const { code, stdout } = await runServer({}, ['--help']).exit;
    assert.equal(code, 0);
    for (const name of ['SERVER_PORT', 'CONNECT_API_KEY', 'ALLOWED_ORIGINS', 'TRUST_PROXY']) {
      assert.match(stdout, new RegExp(`${name} +\\w`));
    }
  });
});
