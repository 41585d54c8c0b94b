import type { Scenario } from '../scenario.ts';
import { crowd } from '../support/donor.ts';

const CONCURRENCY = 8;
/** Half of the requests to the processor are rejected. */
const REJECTED_SHARE = 0.5;
/** A credential's requests per minute. */
const RATE_LIMIT = 120;

/**
 * Both rate limits at once: the processor rejects the API's requests, and the API rejects the
 * BFF's.
 */
export const tooManyRequests: Scenario = {
  name: '429 storms from both sides',
  faults: 'half of all calls to the processor answered 429, and the server’s own budget used up',
  runs: { long: 20, short: 2 },
  async run(world, { runs, donations, progress }) {
    for (let run = 1; run <= runs; run += 1) {
      await world.fault('rate_limit', { rate: REJECTED_SHARE, path: '/v1/payment_intents' });
      // Every tenth run also uses up the BFF's own rate limit at the API.
      const spent =
        run % 10 === 1 ? exhaustRateLimit(world.addresses.api, world.template.serverKey) : null;
      const giving = crowd(world, CONCURRENCY).map((donor) => donor.give());
      await spent;
      donations.push(...(await Promise.all(giving)));
      await world.faultsOff();
      progress(run);
    }
  },
};

async function exhaustRateLimit(api: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const asks = Array.from({ length: RATE_LIMIT }, async () => {
    const response = await fetch(`${api}/api/v1/organization`, { headers });
    await response.body?.cancel();
  });
  await Promise.all(asks);
}
