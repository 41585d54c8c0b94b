import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Context, Hono } from 'hono';
import { etag } from 'hono/etag';
import { html } from 'hono/html';
import type { Env } from '../env.ts';

const FOLDER = fileURLToPath(new URL('../browser', import.meta.url));

/**
 * Content security policy of the frames: they load from and connect to the sandbox only. Any page
 * may embed them.
 */
const FRAME_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Serves the browser files: the stand-in for Stripe.js, its two frames, and style sheets. */
export function browser() {
  const app = new Hono<Env>().use(etag());
  for (const name of ['stripe', 'card-frame', 'authentication-frame']) {
    let script: Promise<string> | undefined;
    app.get(`/${name}.js`, async (c) => {
      script ??= bundleScript(`${FOLDER}/${name}.ts`);
      return asset(c, await script, 'text/javascript');
    });
  }
  for (const name of ['card-frame', 'authentication-frame', 'home']) {
    const style = readFileSync(`${FOLDER}/${name}.css`, 'utf8');
    app.get(`/${name}.css`, (c) => asset(c, style, 'text/css'));
  }
  return app
    .get('/elements/payment', (c) => frame(c, 'Secure payment input', 'card-frame'))
    .get('/authentication', (c) => frame(c, 'Authentication', 'authentication-frame'));
}

/**
 * Bundles a browser script and its imports into one classic script.
 *
 * Rolldown is loaded at the first call, so that neither the start of the sandbox nor a test without a
 * browser waits for it.
 */
async function bundleScript(entry: string): Promise<string> {
  const { rolldown } = await import('rolldown');
  await using bundle = await rolldown({ input: entry });
  const { output } = await bundle.generate({ format: 'iife', strict: true });
  return output[0].code;
}

/** Any site may load the files, also a site with a Cross-Origin-Embedder-Policy (COEP). */
const asset = (c: Context, body: string, type: string) =>
  c.body(body, 200, {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-cache',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  });

function frame(c: Context, title: string, name: string) {
  c.header('content-security-policy', FRAME_CSP);
  c.header('cross-origin-resource-policy', 'cross-origin');
  c.header('referrer-policy', 'no-referrer');
  c.header('cache-control', 'no-cache');
  return c.html(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${title}</title>
          <link rel="stylesheet" href="/${name}.css" />
          <script src="/${name}.js" defer></script>
        </head>
        <body></body>
      </html>`,
  );
}
