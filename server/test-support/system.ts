import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { cloneSeededDatabase } from '@connect-embed/api/test-support/database/database';
import { freePort } from '@connect-embed/api/test-support/processes/free-port';
import { runCommand } from '@connect-embed/api/test-support/processes/run-command';
import { runScript } from './run-process.ts';
import { stopServer } from './upstream.ts';

/**
 * Starts the real API with seeded data and the Stripe sandbox, each as a process on a free port. A
 * proxy between the BFF and the API records the calls. The database is a clone of the template of the test run, or
 * without one the embedded database of the API.
 */
export async function startSystem() {
  const dataDir = await mkdtemp(join(tmpdir(), 'connect-server-'));
  await chmod(dataDir, 0o711); // PostgreSQL runs as another user, which must be able to enter the folder.
  const sandbox = runScript('packages/sandbox/src/main.ts', {
    SANDBOX_PORT: '0',
    DATA_DIR: dataDir,
    SANDBOX_WEBHOOK_URL: '', // No test pays, so the sandbox needs no webhook endpoint.
  });
  const database = process.env['TEST_SEEDED_TEMPLATE'] ? await cloneSeededDatabase() : undefined;
  const apiEnv = {
    ...(database && {
      DATABASE_URL: database.url,
      API_SECRET: 'a secret of thirty-two characters',
    }),
    API_PORT: await freePort(), // Must be known beforehand: the API puts its own URL into responses.
    DATA_DIR: dataDir,
    SANDBOX_URL: await sandbox.address(),
  };
  const api = runScript('packages/cli/src/service/main.ts', apiEnv, ['--seed']);
  const apiUrl = await api.address();
  const proxy = await openProxy(apiUrl);

  /** Runs the CLI, like `npm run connect -- …`. */
  const runCli = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCommand(apiEnv, ...args);
    if (code !== 0) throw new Error(stderr);
    return stdout;
  };
  const createKey = async (scopes = 'all') => {
    const options = [
      '--name',
      'test',
      '--scopes',
      scopes,
      '--organization',
      'org_harbor',
      '--json',
    ];
    return JSON.parse(await runCli('keys', 'create', ...options)) as { id: string; key: string };
  };
  return {
    apiBase: `${proxy.url}/api/v1`,
    calls: proxy.calls,
    apiUrl,
    connect: runCli,
    createKey,
    revokeKey: (id: string) => runCli('keys', 'revoke', id),
    close: async () => {
      await proxy.close();
      await Promise.all([api.stop(), sandbox.stop()]);
      await database?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function openProxy(target: string) {
  const calls: string[] = [];
  const forward = async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    calls.push(`${request.method} ${pathname}`);
    const body = request.method === 'POST' ? await request.text() : null;
    const { method, headers } = request;
    const response = await fetch(target + pathname + search, { method, headers, body });
    return new Response(await response.text(), {
      status: response.status,
      headers: response.headers,
    });
  };
  const server = serve({ fetch: forward, hostname: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, calls, close: () => stopServer(server) };
}
