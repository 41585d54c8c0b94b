import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type Context, Hono } from 'hono';
import { etag } from 'hono/etag';
import { html } from 'hono/html';
import type { Env } from '../env.ts';
import { BROWSER_FOLDER, bundleScript, SCRIPT_NAMES } from './bundle-script.ts';

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
  for (const name of SCRIPT_NAMES) {
    let script: Promise<string> | undefined;
    app.get(`/${name}.js`, async (c) => {
      script ??= loadScript(name);
      return asset(c, await script, 'text/javascript');
    });
  }
  for (const name of ['payment-fields', 'authentication-frame', 'home']) {
    const style = readFileSync(`${BROWSER_FOLDER}/${name}.css`, 'utf8');
    app.get(`/${name}.css`, (c) => asset(c, style, 'text/css'));
  }
  return app
    .get('/elements/payment', (c) => frame(c, 'Secure payment input', 'payment-fields'))
    .get('/authentication', (c) => frame(c, 'Authentication', 'authentication-frame'));
}

/** The published package contains the bundled scripts instead of their sources. */
async function loadScript(name: string): Promise<string> {
  const bundled = `${BROWSER_FOLDER}/${name}.js`;
  return existsSync(bundled) ? await readFile(bundled, 'utf8') : await bundleScript(name);
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
