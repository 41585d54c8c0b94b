import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { build, type Rolldown } from 'vite';
import type { createConnectServer as create } from './index.ts';

const ORIGIN = 'https://www.example.org';

/** Globals of every web-standard runtime, and none of Node. */
const WEB_GLOBALS = {
  AbortController,
  AbortSignal,
  atob,
  btoa,
  clearTimeout,
  crypto,
  CryptoKey,
  fetch,
  Headers,
  performance,
};
const STANDARD = { Request, Response, setTimeout, TextDecoder, TextEncoder, URL, URLSearchParams };

/** Bundles `index.ts` as for a worker. */
async function bundle(): Promise<string> {
  const output = (await build({
    root: fileURLToPath(new URL('.', import.meta.url)),
    configFile: false,
    logLevel: 'silent',
    ssr: { target: 'webworker', noExternal: true },
    build: {
      ssr: 'index.ts',
      write: false,
      rolldownOptions: { output: { format: 'iife', name: 'connect' } },
    },
  })) as Rolldown.RolldownOutput;
  return output.output[0].code;
}

test('the mountable server runs without Node', async () => {
  const code = await bundle();
  assert.doesNotMatch(code, /\bfrom\s*['"]node:|\brequire\(['"]node:/);
  const context = createContext({ ...WEB_GLOBALS, ...STANDARD, Uint8Array, ArrayBuffer, Date });
  runInContext(`${code};globalThis.createConnectServer = connect.createConnectServer`, context);
  const { createConnectServer } = context as unknown as { createConnectServer: typeof create };
  const { fetch: response } = createConnectServer({
    origins: [ORIGIN],
    apiBase: 'http://127.0.0.1:9/api/v1',
    apiKey: 'gb_live_key',
    sessionSecret: 'a session secret of this test, long enough',
  });
  assert.equal((await response(new Request('https://edge.example/healthz'))).status, 200);
  const headers = { origin: ORIGIN, 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: '{}' };
  const session = await response(new Request('https://edge.example/embed-sessions', init));
  assert.equal(session.status, 503); // The API refuses the connection, so the server did call it.
  const donation = await response(new Request('https://edge.example/payment-intents', init));
  assert.equal(donation.status, 401);
});
