import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { findBrowser } from '../../support/browser.ts';
import type { Outcome } from '../run-scenario.ts';
import { RECORDS_ANNOTATION, type DonorRecords } from './reconciliation.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** The used part of Playwright's JSON report. */
interface Result {
  status: string;
  error?: { message?: string };
  annotations?: { type: string; description?: string }[];
}
interface Spec {
  title: string;
  tests: { results: Result[] }[];
}
interface Suite {
  specs: Spec[];
  suites?: Suite[];
}

export const BROWSER_SCENARIO = {
  name: 'interruptions in a browser',
  faults: 'a connection lost during submission, a double click, the back button, and two tabs',
  runs: { long: 20, short: 1 },
};

/** Runs the interruptions in a real browser and compares donations with charges for each donor. */
export async function runBrowserScenario(runs: number): Promise<Outcome> {
  const started = performance.now();
  const report = await runPlaywright(runs);
  const results = report.suites.flatMap(specsOf).flatMap(({ title, tests }) => {
    return tests.flatMap(({ results }) => results.map((result) => ({ title, result })));
  });
  const records = results.flatMap(({ result }) => result.annotations ?? []).flatMap(recordsOf);
  const failed = results.filter(({ result }) => result.status !== 'passed');
  const totalCents = (side: 'recordedCents' | 'chargedCents') =>
    records.flatMap((item) => item[side]).reduce((sum, amount) => sum + amount, 0);
  const emailsWhere = (matches: (item: DonorRecords) => boolean) =>
    records.filter(matches).map(({ email }) => email);
  const comparison = {
    donations: records.length,
    recordedCents: totalCents('recordedCents'),
    chargedCents: totalCents('chargedCents'),
    chargedTwice: emailsWhere(({ chargedCents }) => chargedCents.length > 1),
    lost: emailsWhere(
      ({ recordedCents, chargedCents }) => recordedCents.length < chargedCents.length,
    ),
    withoutPayment: emailsWhere(
      ({ recordedCents, chargedCents }) => recordedCents.length > chargedCents.length,
    ),
    mismatches: emailsWhere(
      ({ recordedCents, chargedCents }) => recordedCents.join() !== chargedCents.join(),
    ),
    undeliveredWebhooks: [],
    debits: 0,
    returnedDebits: 0,
    wronglyOnTheirWay: [],
    wrongEmails: [],
    misinformedDonors: failed.map(({ title }) => title),
    correctlyInformed: results.length - failed.length,
  };
  const affectedEmails = [...comparison.chargedTwice, ...comparison.lost, ...comparison.mismatches];
  return {
    ...BROWSER_SCENARIO,
    runs,
    comparison,
    donors: results.length,
    reconciledAfterSeconds: 0,
    recoveryTimes: [],
    durationSeconds: (performance.now() - started) / 1000,
    figures: countsOf(results.map(({ title }) => title)),
    problems: [
      ...affectedEmails.map((email) => `donations and charges differ for ${email}`),
      ...failed.map(({ title, result }) => `${title}: ${firstLine(result.error?.message)}`),
    ],
  };
}

async function runPlaywright(runs: number): Promise<{ suites: Suite[] }> {
  const browser = await findBrowser();
  const bin = join(ROOT, 'node_modules/.bin/playwright');
  const config = join(import.meta.dirname, 'playwright.config.ts');
  const child = spawn(bin, ['test', '-c', config, `--repeat-each=${runs}`], {
    cwd: ROOT,
    env: { ...process.env, ...browser.env, CHROME_PATH: browser.path },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  const begin = output.indexOf('{');
  if (begin < 0) throw new Error(`Playwright printed no JSON report:\n${output}`);
  return JSON.parse(output.slice(begin)) as { suites: Suite[] };
}

const specsOf = (suite: Suite): Spec[] => [
  ...suite.specs,
  ...(suite.suites ?? []).flatMap(specsOf),
];

const recordsOf = ({ type, description }: { type: string; description?: string }) =>
  type === RECORDS_ANNOTATION && description ? [JSON.parse(description) as DonorRecords] : [];

function countsOf(titles: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const title of titles) counts.set(title, (counts.get(title) ?? 0) + 1);
  return [[...counts].map(([title, count]) => `${title}: ${count} runs`).join('; ')];
}

const firstLine = (message = 'failed') => message.replaceAll(/\u001b\[\d+m/g, '').split('\n')[0];
