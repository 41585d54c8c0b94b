/**
 * `npm run bench:page-views`: what 1,000 page views of one form cost upstream.
 *
 * A credential has 120 requests a minute for everything, so page views must not spend them.
 */
import { openCountingProxy } from '../support/counting-proxy.ts';
import { endWithHelp } from '../support/help.ts';
import { openHouse } from '../support/house.ts';
import { openOwnServer } from '../support/own-server.ts';

const PAGE_VIEWS = 1000;
const AT_ONCE = 20;
const MAX_UPSTREAM_CALLS = 2;

endWithHelp(`Prints what ${PAGE_VIEWS} views of one form cost upstream, against a budget.`);

const house = await openHouse();
const { origin, pathname } = new URL(house.api_base);
const proxy = await openCountingProxy(origin);
const server = await openOwnServer({ ...house, api_base: `${proxy.url}${pathname}` });
try {
  const started = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, () => viewPages(PAGE_VIEWS / AT_ONCE)));
  const seconds = (performance.now() - started) / 1000;
  const calls = proxy.calls.filter((call) => call.includes('/api/v1/'));
  const verdict = calls.length <= MAX_UPSTREAM_CALLS ? 'within' : 'OVER';
  console.log(`upstream calls for ${PAGE_VIEWS} page views: ${calls.length}`);
  console.log(`  budget ${MAX_UPSTREAM_CALLS}: ${verdict}; ${calls.join(', ')}`);
  console.log(`  ${Math.round(PAGE_VIEWS / seconds)} page views a second`);
  if (calls.length > MAX_UPSTREAM_CALLS) process.exitCode = 1;
} finally {
  await server.close();
  await proxy.close();
  await house.close();
}

async function viewPages(count: number): Promise<void> {
  for (let view = 0; view < count; view += 1) {
    const answer = await fetch(`${server.url}/embed-sessions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: house.site },
      body: '{}',
    });
    if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
  }
}
