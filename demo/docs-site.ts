import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono, type MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { Config } from './config.ts';
import { ROOT } from './launcher/config.ts';
import { newestMtimeMs } from './launcher/newest-mtime.ts';
import { signViewerToken } from './viewer-token.ts';

const SITE = 'dist/docs';
/** Files and folders from which the site is built; it is rebuilt when one of them is newer. */
const SOURCES = [
  'docs',
  'CHANGELOG.md',
  'packages/site',
  'packages/workshop/stories',
  'packages/api/src/openapi',
  'packages/elements/dist/manifest.json',
  'packages/elements/custom-elements.json',
  'package-lock.json',
];

/**
 * Creates the application of the docs site. The first request builds the site, so that `npm start`
 * does not wait for it, and shows a page that reloads itself until the site is built.
 */
export function createDocsSite({ bffOrigin, viewerSecret }: Config) {
  let build: SiteBuild | undefined;
  let serveFiles: MiddlewareHandler | undefined;
  return new Hono()
    .get('/playground.json', async (c) =>
      // The playground shows the tables to the user of the demo platform, whose sign-in asks for no password.
      c.json({ server: bffOrigin, viewer_token: await signViewerToken(viewerSecret) }),
    )
    .use(async (c, next) => {
      build ??= startBuild();
      // Created here, because it warns if the folder does not exist yet.
      if (build.state === 'built') return (serveFiles ??= serveSite())(c, next);
      if (build.state === 'building') return c.html(waitingPage(), 503, { 'Retry-After': '1' });
      const { error } = build;
      build = undefined; // The next request tries again.
      return c.text(`The documentation could not be built.\n\n${error}`, 500);
    })
    .get('*', (c) => c.html(notFoundPage(), 404));
}

const serveSite = () =>
  serveStatic({
    root: `${ROOT}/${SITE}`,
    rewriteRequestPath: (path) => path.slice('/docs'.length),
  });

interface SiteBuild {
  state: 'building' | 'built' | 'failed';
  error?: string;
}

/** Builds the site in a process of its own, unless it is newer than its sources. */
function startBuild(): SiteBuild {
  const isCurrent = newestMtimeMs([`${SITE}/index.html`]) >= newestMtimeMs(SOURCES);
  const build: SiteBuild = { state: isCurrent ? 'built' : 'building' };
  if (isCurrent) return build;
  promisify(execFile)(process.execPath, ['packages/site/main.ts'], { cwd: ROOT }).then(
    () => (build.state = 'built'),
    (error: Error) => Object.assign(build, { state: 'failed', error: error.message }),
  );
  return build;
}

const waitingPage = () =>
  messagePage(
    'The documentation is being built',
    html`<meta http-equiv="refresh" content="1" />
      <p>This takes about twenty seconds. The page opens by itself.</p>`,
  );

const notFoundPage = () =>
  messagePage(
    'Page not found',
    html`<p>The documentation has no page at this address. <a href="/docs/">Documentation</a></p>`,
  );

const messagePage = (title: string, content: HtmlEscapedString | Promise<HtmlEscapedString>) =>
  html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="color-scheme" content="light dark" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${title} – Connect Embed</title>
      <main style="font: 1.125rem system-ui, sans-serif; padding: 3rem 1.5rem; text-align: center">
        <h1 style="font-size: 1.25rem">${title}</h1>
        ${content}
      </main>
    </html>`;
