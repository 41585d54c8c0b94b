import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { parse } from 'yaml';
import { cloneDatabase } from '../../test-support/database/database.ts';
import { startServerProcess } from '../../test-support/processes/processes.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const DOCS_URL = 'https://github.com/example/connect-embed/blob/main/';
const SECRET = 's'.repeat(32);
const METRICS_TOKEN = 'a token for Prometheus';

interface Dashboard {
  panels: { title: string; description: string; targets: { expr: string }[] }[];
}
interface AlertFile {
  groups: { rules: Alert[] }[];
}
interface Alert {
  alert: string;
  expr: string;
  annotations: { summary: string; runbook_url: string };
}

const readText = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const { panels } = JSON.parse(readText('deploy/grafana-dashboard.json')) as Dashboard;
const alerts = (parse(readText('deploy/alerts.yaml')) as AlertFile).groups.flatMap(
  ({ rules }) => rules,
);

/** Starts a `main.ts`, and returns the names of its metrics as queries use them. */
async function metricNames(main: string, variables: Record<string, string>): Promise<string[]> {
  const running = await startServerProcess(join(ROOT, main), { METRICS_TOKEN, ...variables });
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await (await fetch(`${running.url}/metrics`, { headers })).text();
  await running.stop();
  return [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
    type === 'histogram' ? ['bucket', 'count', 'sum'].map((part) => `${name}_${part}`) : [name!],
  );
}

const database = await cloneDatabase();
after(() => database.drop());
const known = new Set([
  ...(await metricNames('packages/cli/src/service/main.ts', {
    API_PORT: '0',
    DATABASE_URL: database.url,
    API_SECRET: SECRET,
  })),
  ...(await metricNames('packages/cli/src/server/main.ts', {
    SERVER_PORT: '0',
    CONNECT_API_BASE: 'http://127.0.0.1:9/api/v1',
    CONNECT_API_KEY: 'gb_live_key',
    SESSION_SECRET: SECRET,
  })),
]);

/** Checks that a PromQL query uses only metrics that exist. */
function requireKnownMetrics(expr: string, where: string): void {
  const used = expr.match(/\b(?:connect|process|nodejs)_\w+/g) ?? [];
  assert.ok(used.length > 0, `${where} uses no metric`);
  for (const name of used) assert.ok(known.has(name), `${where}: ${name} does not exist`);
}

/** Returns the anchors of the headings of a Markdown file. */
const anchorsOf = (file: string) =>
  [...readText(file).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );

describe('deploy/grafana-dashboard.json', () => {
  test('uses metrics that the API or the server reports', () => {
    for (const { title, targets } of panels)
      for (const { expr } of targets) requireKnownMetrics(expr, title);
  });

  test('describes each panel', () => {
    for (const { title, description } of panels) assert.ok(description, title);
  });
});

describe('deploy/alerts.yaml', () => {
  test('uses metrics that the API or the server reports', () => {
    for (const { alert, expr } of alerts) requireKnownMetrics(expr, alert);
  });

  test('has for each alert a summary, and a link to a heading of the documentation', () => {
    for (const { alert, annotations } of alerts) {
      assert.match(annotations.summary, /\.$/, alert);
      assert.ok(annotations.runbook_url.startsWith(DOCS_URL), alert);
      const [file, anchor] = annotations.runbook_url.slice(DOCS_URL.length).split('#');
      const anchors = anchorsOf(file!);
      assert.ok(!anchor || anchors.includes(anchor), `${alert}: ${annotations.runbook_url}`);
    }
  });
});
