/** The load of the test, and when what happens. Times are seconds after the first donor. */
export interface LoadPlan {
  /** Share of the full rate, and of the full duration. */
  factor: { rate: number; time: number };
  donationsPerSecond: number;
  pageRequestsPerSecond: number;
  /** How long donors and visitors arrive. */
  seconds: number;
  /** Requests per second that the sandbox accepts for each endpoint. */
  stripeRequestsPerSecond: number;
  /** Each has a form and an API key, because a key may send 120 requests a minute. */
  organizations: number;
  killAt: number;
  outageAt: number;
  outageSeconds: number;
  deployAt: number;
}

/** A broadcast: the largest known night of online giving had 26,000 donations in 15 minutes. */
const FULL = {
  donationsPerSecond: 30,
  pageRequestsPerSecond: 5000,
  seconds: 15 * 60,
  outageSeconds: 120,
  stripeRequestsPerSecond: 25,
};

/** What two cores carry beside the donors, and two minutes in all. */
const SCALED_DOWN = { rate: 1 / 10, time: 1 / 15 };

/** A key has two requests a second; a donor needs two, and more after a failure. */
const ORGANIZATIONS_PER_DONATION_PER_SECOND = 2;

export function planLoad({ isFull }: { isFull: boolean }): LoadPlan {
  const factor = isFull ? { rate: 1, time: 1 } : SCALED_DOWN;
  const donationsPerSecond = FULL.donationsPerSecond * factor.rate;
  const seconds = FULL.seconds * factor.time;
  return {
    factor,
    donationsPerSecond,
    pageRequestsPerSecond: FULL.pageRequestsPerSecond * factor.rate,
    seconds,
    // A whole number. It is rounded up, because the queue uses nine tenths of it, rounded down.
    stripeRequestsPerSecond: Math.ceil(FULL.stripeRequestsPerSecond * factor.rate),
    organizations: Math.ceil(donationsPerSecond * ORGANIZATIONS_PER_DONATION_PER_SECOND),
    killAt: seconds * 0.2,
    outageAt: seconds * 0.4,
    outageSeconds: FULL.outageSeconds * factor.time,
    deployAt: seconds * 0.75,
  };
}
