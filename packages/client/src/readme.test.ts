import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test, type TestContext } from 'node:test';
import { startApi } from '@connect-embed/api/test-support/app/start-api';
import { Webhook } from 'standardwebhooks';

const api = await startApi();
const SECRET = `whsec_${btoa('x'.repeat(32))}`;
const README = join(import.meta.dirname, '../../publish/readmes/client.md');

// Inside the package, so that `@connect-embed/client` is found.
const folder = join(import.meta.dirname, '../dist/readme');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
after(() => rmSync(folder, { recursive: true }));

const before = { ...process.env };
after(() => void (process.env = before));
process.env['CONNECT_API_KEY'] = (await api.createKey()).token;
process.env['CONNECT_WEBHOOK_SECRET'] = SECRET;

const blocks = [...readFileSync(README, 'utf8').matchAll(/^```ts\n([^]*?)^```$/gm)];

/** Runs an example of the README against the API. @returns its exports, and what it printed */
async function run(at: number, t: TestContext) {
  const code = blocks[at]![1]!.replace('https://api.example.org', api.url);
  const file = join(folder, `example-${at}.ts`);
  writeFileSync(file, code);
  const log = t.mock.method(console, 'log', () => {});
  const module = (await import(file)) as { POST?: (request: Request) => Promise<Response> };
  return { ...module, printed: log.mock.calls.map((call) => call.arguments as unknown[]) };
}

describe('the README of the npm package', () => {
  test('lists donations', async (t) => {
    const { printed } = await run(0, t);
    assert.ok(printed.length > 25, 'more than one page');
    assert.equal(printed[0]!.length, 3);
  });

  test('reads a page of donors', async (t) => {
    const { printed } = await run(1, t);
    assert.ok(Number(printed.at(-1)![1]) > 0);
  });

  test('handles an error', async (t) => {
    const { printed } = await run(2, t);
    assert.deepEqual(printed, [['resource_missing']]);
  });

  test('verifies a webhook event', async (t) => {
    const { POST } = await run(3, t);
    const body = JSON.stringify({ type: 'donation.created', related_object: { id: 'don_1' } });
    const at = new Date();
    const send = (signature: string) =>
      POST!(
        new Request('https://site.example/webhooks', {
          method: 'POST',
          body,
          headers: {
            'webhook-id': 'evt_1',
            'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
            'webhook-signature': signature,
          },
        }),
      );
    assert.equal((await send(new Webhook(SECRET).sign('evt_1', at, body))).status, 204);
    assert.equal((await send('v1,none')).status, 400);
  });

  test('has no other example', () => assert.equal(blocks.length, 4));
});
