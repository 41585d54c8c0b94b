import { join } from 'node:path';

/** Environment variable with the URL of the built stories. */
export const STORIES_URL_VARIABLE = 'STORIES_URL';

/**
 * Global setup: serves the built stories, so that the browser caches their scripts and what it
 * compiled of them. Responses of `page.route()` are never cached.
 */
export default async function serveStories() {
  // Not imported above, because every test process loads this file.
  const { preview } = await import('vite');
  const server = await preview({
    // A missing file is responded with 404, and not with the start page.
    appType: 'mpa',
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'warn',
    build: { outDir: join(import.meta.dirname, 'dist') },
    preview: { host: '127.0.0.1', port: 0 },
  });
  process.env[STORIES_URL_VARIABLE] = server.resolvedUrls!.local[0]!;
  return () => server.close();
}
