import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startApi } from '@connect-embed/api/test-support/app/start-api';
import { chromium } from 'playwright';
import { build, type Rolldown } from 'vite';
import type * as client from './index.ts';

const CHROME = process.env['CHROME_PATH'] ?? '/usr/bin/chromium';
const skip = existsSync(CHROME) ? false : 'no browser: set CHROME_PATH';

/** A site with an empty page, and the client as `/client.js`. */
async function serveSite(code: string) {
  const server = createServer(({ url }, response) => {
    const isScript = url === '/client.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? code : '<!doctype html><title>Site</title>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

test('a page of another origin reads donations and live changes', { skip }, async () => {
  const api = await startApi();
  const { token } = await api.createKey();
  const session = await api.post('/component-sessions', token, { components: ['donations'] });
  const { token: sessionToken } = (await session.json()) as { token: string };

  const [bundle] = (await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      lib: { entry: join(import.meta.dirname, 'index.ts'), formats: ['es'], fileName: 'client' },
    },
  })) as Rolldown.RolldownOutput[];
  const { code } = bundle!.output[0];
  assert.doesNotMatch(code, /\bzod\b|process\.env|from ?["']/, 'no zod, and nothing of Node');

  const site = await serveSite(code);
  const browser = await chromium.launch({ executablePath: CHROME, args: ['--no-sandbox'] });
  after(() => browser.close());
  const page = await browser.newPage();
  await page.goto(site.url);
  const result = await page.evaluate(
    async ([apiBase, token]) => {
      const { Connect } = (await import('/client.js' as string)) as typeof client;
      const connect = new Connect({ apiBase: apiBase!, token: token! });
      let count = 0;
      for await (const _ of connect.donations.list({ limit: 20 })) if ((count += 1) === 30) break;
      const error = await connect.donors
        .list()
        .page()
        .catch(({ type }: { type: string }) => type);
      const { value } = await connect.live.stream().next();
      return { count, error, event: value?.event };
    },
    [`${api.url}/api/v1`, sessionToken],
  );
  assert.deepEqual(result, { count: 30, error: 'insufficient_scope', event: 'open' });
});
