import type { Comparison } from '../faults/reconcile.ts';
import { problemsOf } from '../faults/run-scenario.ts';
import type { PeakDonation } from './donor.ts';
import type { LoadPlan } from './load-plan.ts';
import type { PageRequestCost } from './page-requests.ts';
import type { Outage, PeakResult } from './run-peak-load.ts';

/** Goals of the times, which are printed beside them. A time is not a reason to fail. */
const STATUS_GOAL_SECONDS = 10;
const RECONCILIATION_GOAL_SECONDS = 60;

/** The lines of the report, each with its label. */
export function formatReport(plan: LoadPlan, result: PeakResult): string {
  const { donations, comparisons, outage, pageViews } = result;
  const paid = donations.filter(isPaid);
  const total = (of: (comparison: Comparison) => number) =>
    count(comparisons.reduce((sum, { comparison }) => sum + of(comparison), 0));
  const first = (status: PeakDonation['firstStatus']) =>
    donations.filter(({ firstStatus }) => firstStatus === status).length;
  const rows: [label: string, value: string][] = [
    [
      'factor',
      `${percent(plan.factor.rate)} of the rate, ${percent(plan.factor.time)} of the time`,
    ],
    [
      'load',
      `${plan.donationsPerSecond} donations/s and ${plan.pageRequestsPerSecond} page requests/s for ${plan.seconds} s`,
    ],
    [
      'processor',
      `accepts ${plan.stripeRequestsPerSecond} requests/s per endpoint; down for ${seconds(outage.to - outage.from)}`,
    ],
    ['donors', count(donations.length)],
    [
      '  with a correct status',
      `${total(({ correctlyInformed }) => correctlyInformed)}, ${count(paid.length)} paid`,
    ],
    ['  charged twice', total(({ chargedTwice }) => chargedTwice.length)],
    ['  lost', total(({ lost }) => lost.length)],
    [
      '  first saw',
      `paid ${first('paid')}, place in line ${first('position')}, countdown ${first('countdown')}, “not charged, try again” ${first('try again')}`,
    ],
    ['  largest place in line', count(Math.max(...donations.map(({ position }) => position)))],
    ['time to a correct status', `goal ${STATUS_GOAL_SECONDS} s, p50 / p95 / max`],
    ...timesUntil('statusAt', donations, outage),
    ['time to paid, with the line', 'p50 / p95 / max'],
    ...timesUntil('paidAt', paid, outage),
    ['  later than the form announced', distribution(paid.filter(hasWaited).map(afterTurn))],
    [
      'reconciled after',
      `${result.reconciledAfterSeconds.toFixed(1)} s, goal ${RECONCILIATION_GOAL_SECONDS} s`,
    ],
    [
      'page requests/s',
      `${count(pageViews.perSecond)}: ${count(pageViews.sentPerSecond)} reached the BFF, ` +
        `a simulated cache took ${percent(pageViews.cached / (pageViews.cached + pageViews.sent))}`,
    ],
    ['  failed, not sent', `${count(pageViews.failed)}, ${count(pageViews.skipped)}`],
    ...pageRequestRows(plan, result.pageRequests),
  ];
  return rows.map(([label, value]) => `${label.padEnd(34)} ${value}`).join('\n');
}

/** The times of donors who did not wait while the processor was down, of those who did, and of all. */
function timesUntil(
  end: 'statusAt' | 'paidAt',
  donations: readonly PeakDonation[],
  { from, to }: Outage,
): [string, string][] {
  const isAffected = (donation: PeakDonation) => donation.startedAt < to && donation[end] > from;
  const row = (name: string, some: readonly PeakDonation[]): [string, string] => [
    `  ${name} (${count(some.length)})`,
    distribution(some.map((donation) => donation[end] - donation.startedAt)),
  ];
  return [
    row(
      'without the outage',
      donations.filter((donation) => !isAffected(donation)),
    ),
    row('during the outage', donations.filter(isAffected)),
    row('all', donations),
  ];
}

function pageRequestRows(plan: LoadPlan, requests: readonly PageRequestCost[]): [string, string][] {
  // Seconds of a core for one request of each kind, so for one page view.
  const secondsOfView = requests.reduce((total, { perCore }) => total + 1 / perCore, 0);
  const fullRate = plan.pageRequestsPerSecond / plan.factor.rate;
  const perCore = requests.length / secondsOfView;
  return [
    ['one core of a BFF serves a second', ''],
    ...requests.map(({ name, cacheControl, ...cost }): [string, string] => [
      `  ${name}`,
      `${count(cost.perCore)} (${cacheControl})`,
    ]),
    [
      '  all in turn',
      `${count(perCore)}: ${(fullRate / perCore).toFixed(1)} cores for ${count(fullRate)}/s without a cache`,
    ],
  ];
}

/** A sentence for each violated expectation. */
export function findProblems({ donations, comparisons }: PeakResult): string[] {
  const unpaid = donations.filter((donation) => !isPaid(donation));
  return [
    ...comparisons.flatMap(problemsOf),
    ...(unpaid.length > 0
      ? [`${unpaid.length} donors never got the final status, such as ${unpaid[0]!.email}`]
      : []),
  ];
}

const isPaid = ({ outcome }: PeakDonation) => outcome === 'paid';
const hasWaited = ({ turnAt }: PeakDonation) => turnAt !== undefined;
const afterTurn = ({ paidAt, turnAt }: PeakDonation) => paidAt - turnAt!;

function distribution(times: readonly number[]): string {
  if (times.length === 0) return '–';
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => seconds(sorted[Math.ceil(share * sorted.length) - 1]!);
  return `${at(0.5)} / ${at(0.95)} / ${at(1)}`;
}

const seconds = (ms: number) => (ms === Infinity ? 'never' : `${(ms / 1000).toFixed(1)} s`);
const count = (value: number) => Math.round(value).toLocaleString('en-US');
const percent = (share: number) => `${Number((share * 100).toFixed(1))} %`;
