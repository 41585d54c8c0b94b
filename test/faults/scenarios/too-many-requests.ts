import type { Scenario } from '../scenario.ts';
import { createDonors } from '../support/donor.ts';

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
  name: 'rate limits exceeded on both sides',
  faults:
    'half of the requests to the processor get 429, and every tenth run uses up the server’s rate limit',
  runs: { long: 20, short: 2 },
  async run(system, { runs, donations, progress }) {
    for (let run = 1; run <= runs; run += 1) {
      await system.fault('rate_limit', { rate: REJECTED_SHARE, path: '/v1/payment_intents' });
      // Every tenth run also uses up the BFF's own rate limit at the API.
      const rateLimitExhausted =
        run % 10 === 1
          ? exhaustRateLimit(system.addresses.api, system.initialData.serverKey)
          : null;
      const attempts = (await createDonors(system, CONCURRENCY)).map((donor) => donor.donate());
      await rateLimitExhausted;
      donations.push(...(await Promise.all(attempts)));
      await system.faultsOff();
      progress(run);
    }
  },
};

async function exhaustRateLimit(api: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const requests = Array.from({ length: RATE_LIMIT }, async () => {
    const response = await fetch(`${api}/api/v1/organization`, { headers });
    await response.body?.cancel();
  });
  await Promise.all(requests);
}
