/**
 * `npm run bench:page-views` counts the API requests of 1,000 page views of one form.
 *
 * A credential has 120 requests a minute for everything, so page views must not use them up.
 */
import { exitOnHelpOption } from '../support/help-option.ts';
import { startHttpProxy } from '../support/http-proxy.ts';
import { startSystem } from '../support/system.ts';
import { startDedicatedServer } from '../support/dedicated-server.ts';

const PAGE_VIEWS = 1000;
const CONCURRENCY = 20;
const MAX_UPSTREAM_CALLS = 2;

exitOnHelpOption(
  `Counts the API requests of ${PAGE_VIEWS} page views of a form, and compares them with a budget.`,
);

const system = await startSystem();
const { origin, pathname } = new URL(system.api_base);
const proxy = await startHttpProxy(origin);
const calls: string[] = [];
proxy.hooks = {
  request: ({ method, path }) => {
    if (path.startsWith(pathname)) calls.push(`${method} ${path}`);
  },
};
const server = await startDedicatedServer({ ...system, api_base: `${proxy.url}${pathname}` });
try {
  const started = performance.now();
  await Promise.all(Array.from({ length: CONCURRENCY }, () => viewPages(PAGE_VIEWS / CONCURRENCY)));
  const seconds = (performance.now() - started) / 1000;
  const result = calls.length <= MAX_UPSTREAM_CALLS ? 'within' : 'OVER';
  console.log(`API requests for ${PAGE_VIEWS} page views: ${calls.length}`);
  console.log(`  budget ${MAX_UPSTREAM_CALLS}: ${result}; ${calls.join(', ')}`);
  console.log(`  ${Math.round(PAGE_VIEWS / seconds)} page views per second`);
  if (calls.length > MAX_UPSTREAM_CALLS) process.exitCode = 1;
} finally {
  await server.close();
  await proxy.close();
  await system.close();
}

async function viewPages(count: number): Promise<void> {
  for (let view = 0; view < count; view += 1) {
    const response = await fetch(`${server.url}/embed-form`, { headers: { Origin: system.site } });
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  }
}
