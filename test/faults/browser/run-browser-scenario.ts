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
  name: 'donors in a browser',
  faults: 'offline mid-submit, double click, back button, two tabs, each so often',
  runs: { long: 20, short: 1 },
};

/** Runs the interruptions in a real browser and compares donations with charges for each donor. */
export async function runBrowserScenario(runs: number): Promise<Outcome> {
  const started = performance.now();
  const report = await runPlaywright(runs);
  const results = report.suites.flatMap(specsOf).flatMap(({ title, tests }) => {
    return tests.flatMap(({ results }) => results.map((result) => ({ title, result })));
  });
  const books = results.flatMap(({ result }) => result.annotations ?? []).flatMap(recordsOf);
  const failed = results.filter(({ result }) => result.status !== 'passed');
  const totalCents = (side: 'ours' | 'theirs') =>
    books.flatMap((item) => item[side]).reduce((sum, amount) => sum + amount, 0);
  const emailsWhere = (is: (item: DonorRecords) => boolean) =>
    books.filter(is).map(({ email }) => email);
  const verdict = {
    gifts: books.length,
    oursCents: totalCents('ours'),
    theirsCents: totalCents('theirs'),
    charged_twice: emailsWhere(({ theirs }) => theirs.length > 1),
    lost: emailsWhere(({ ours, theirs }) => ours.length < theirs.length),
    invented: emailsWhere(({ ours, theirs }) => ours.length > theirs.length),
    wrong: emailsWhere(({ ours, theirs }) => ours.join() !== theirs.join()),
    untold: [],
    misled: failed.map(({ title }) => title),
    truly_told: results.length - failed.length,
  };
  const affectedEmails = [...verdict.charged_twice, ...verdict.lost, ...verdict.wrong];
  return {
    ...BROWSER_SCENARIO,
    runs,
    verdict,
    donors: results.length,
    rightAfterSeconds: 0,
    back: [],
    seconds: (performance.now() - started) / 1000,
    figures: countsOf(results.map(({ title }) => title)),
    problems: [
      ...affectedEmails.map((email) => `the books differ for ${email}`),
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
  if (begin < 0) throw new Error(`Playwright said nothing that can be read:\n${output}`);
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
  return [[...counts].map(([title, count]) => `${title} ${count} times`).join(', ')];
}

const firstLine = (message = 'failed') => message.replaceAll(/\u001b\[\d+m/g, '').split('\n')[0];
