import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { proxy } from 'hono/proxy';
import { startApi } from '../../test-support/app/start-api.ts';
import { codeBlocks } from '../../test-support/guides/read-guide.ts';

/** How each program of docs/api/examples.md is run. */
const PROGRAMS = [
  { language: 'js', command: process.execPath, file: 'donations.mjs' },
  { language: 'php', command: 'php', file: 'donations.php' },
  { language: 'python', command: 'python3', file: 'donations.py' },
];

const api = await startApi();
const { token } = await api.createKey(['donations:read']);
const folder = await mkdtemp(join(tmpdir(), 'connect-examples-'));
after(() => rm(folder, { recursive: true }));
await symlink(join(import.meta.dirname, '../../../../node_modules'), join(folder, 'node_modules'));

/** Starts a proxy of the API that asks to wait once. */
async function startBusyProxy() {
  let requests = 0;
  const app = new Hono().all('*', async (c) => {
    requests += 1;
    if (requests === 2) return c.text('Too many requests', 429, { 'retry-after': '1' });
    const { pathname, search } = new URL(c.req.url);
    return await proxy(`${api.url}${pathname}${search}`, c.req.raw);
  });
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  after(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, requests: () => requests };
}

for (const { language, command, file } of PROGRAMS) {
  const isInstalled = spawnSync(command, ['--version']).status === 0;
  describe(
    `the ${language} program`,
    { skip: !isInstalled && `${command} is not installed.` },
    async () => {
      const path = join(folder, file);
      const program = codeBlocks('examples').find((block) => block.language === language)!;
      await writeFile(path, program.text);
      const run = async (apiUrl: string, ...args: string[]) => {
        const env = { ...process.env, API: `${apiUrl}/api/v1`, KEY: token };
        const { stdout } = await promisify(execFile)(command, [path, ...args], { env });
        const lines = stdout.trim().split('\n').filter(Boolean);
        return lines.map((line) => (JSON.parse(line) as { id: string }).id);
      };
      const stored = api.db
        .selectFrom('donation')
        .select(['id', 'created_at'])
        .where('organization_id', '=', 'org_harbor')
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc');

      test('reads every donation once, although it has to wait', async () => {
        const donations = await stored.execute();
        assert.ok(donations.length > 200);
        const busy = await startBusyProxy();
        assert.deepEqual(
          await run(busy.url),
          donations.map(({ id }) => id),
        );
        assert.equal(busy.requests(), Math.ceil(donations.length / 100) + 1);
      });

      test('reads what is new', async () => {
        const [newest] = await stored.limit(1).execute();
        assert.deepEqual(await run(api.url, newest!.created_at.toISOString()), [newest!.id]);
      });
    },
  );
}
