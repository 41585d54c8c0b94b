import type { Page, Request } from 'playwright';
import type { TestSystem } from '../support/system.ts';

/** Bytes of the bodies that the browser received, until a table is drawn. */
interface TableLoad {
  /**
   * What draws the table: `connect.js` and the two files that it loads for tables. Others are loaded after it,
   * some as soon as 100 ms have passed.
   */
  script: number;
  /** The first page of the list. */
  rows: number;
  session: number;
}

/** Opens a page of another origin with a table of 25 donations, as on a first visit. */
export async function measureTableLoad(
  page: Page,
  site: string,
  { server, ...system }: TestSystem,
): Promise<TableLoad> {
  const token = await createViewerToken(page, system.site);
  const finished: Request[] = [];
  page.on('requestfinished', (request) => finished.push(request));
  const ready = page.waitForEvent('console', (line) => line.text() === 'drawn');
  await page.addInitScript(() => addEventListener('connect-ready', () => console.log('drawn')));
  const code = `<script type="module" src="${server}/connect.js"></script>
    <connect-donations viewer-token="${token}"></connect-donations>`;
  await page.goto(`${site}/pasted?code=${encodeURIComponent(code)}`);
  await ready;
  const load = { script: 0, rows: 0, session: 0 };
  for (const request of [...finished]) {
    const kind = kindOf(new URL(request.url()).pathname);
    if (kind) load[kind] += (await request.sizes()).responseBodySize;
  }
  return load;
}

function kindOf(path: string): keyof TableLoad | undefined {
  if (/\/(?:connect|(?:base|tables)-[\w-]+)\.js$/.test(path)) return 'script';
  if (path.endsWith('/donations')) return 'rows';
  return path.endsWith('/component-sessions') ? 'session' : undefined;
}

/** Signs in to the demo's platform, which signs the token. */
async function createViewerToken(page: Page, platform: string): Promise<string> {
  const { request } = page.context();
  await request.post(`${platform}/platform/sign-in`, { headers: { origin: platform } });
  const response = await request.get(`${platform}/platform/viewer-token`);
  return ((await response.json()) as { token: string }).token;
}
