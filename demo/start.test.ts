import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { ROOT } from './launcher/config.ts';
import {
  killAll,
  launch,
  launchInShell,
  makeDataDir,
  modeOf,
  processesOf,
  reset,
  holdPort,
  waitUntil,
  waitUntilExited,
  type DemoFile,
  type LaunchedSystem,
} from './test-support/launch.ts';

const SERVICES = ['api', 'demo', 'postgres', 'sandbox', 'server'];

/** The newest donation. Data is seeded once, so the same donation means the same data. */
async function newestDonation({ api_base, api_key }: DemoFile): Promise<unknown> {
  const headers = { authorization: `Bearer ${api_key}` };
  const response = await fetch(`${api_base}/donations?limit=1`, { headers });
  assert.equal(response.status, 200);
  return ((await response.json()) as { data: unknown[] }).data[0];
}

/** What services have printed. A service prints only what needs an action. */
const logLines = (system: LaunchedSystem) =>
  system
    .output()
    .split('\n')
    .filter((line) => line.includes(' │ '));

describe('npm start', () => {
  const dataDir = makeDataDir();
  after(() => reset(dataDir));
  let first: DemoFile;
  let donation: unknown;
  /** The system that one test leaves running for the next, because a start uses seconds of processor time. */
  let system: LaunchedSystem;

  test('starts all services, and Ctrl-C stops them', async () => {
    const startedAt = performance.now();
    system = launch(dataDir);
    first = await system.ready();
    const startMs = performance.now() - startedAt;
    donation = await newestDonation(first);
    assert.deepEqual(logLines(system), []);
    assert.equal(first.organization_id, 'org_harbor');
    const page = await (await fetch(first.site)).text();
    assert.ok(page.includes(`<script type="module" src="${first.server}/connect.js"></script>`));
    for (const address of [
      `${first.server}/readyz`,
      `${first.server}/connect.js`,
      `${first.site}/platform/`,
    ]) {
      assert.equal((await fetch(address)).status, 200, address);
    }
    for (const name of ['demo.json', 'secrets.json'])
      assert.equal(modeOf(join(dataDir, name)), 0o600);

    const running = processesOf(system, dataDir);
    assert.deepEqual(Object.keys(running).sort(), SERVICES);
    const from = performance.now();
    assert.equal(await system.end('SIGINT', 'group'), 0); // To the process group, as a terminal does.
    // No service was killed after the ten-second timeout. A slow machine gets more time.
    assert.ok(performance.now() - from < Math.max(10_000, startMs));
    await waitUntilExited(Object.values(running));
  });

  test('keeps the data at the second start, and runs only once per folder', async () => {
    system = launch(dataDir);
    const secondStart = await system.ready();
    assert.equal(secondStart.api_key, first.api_key);
    assert.deepEqual(await newestDonation(secondStart), donation);

    const other = launch(dataDir); // The ports differ, but the data folder is locked.
    assert.equal(await other.ended, 1);
    assert.match(other.output(), /`npm start` is running on .*connect-launch-/);
    const startAndFail = await reset(dataDir);
    assert.equal(startAndFail.code, 1);
    assert.match(startAndFail.output, /is running on/);
    assert.deepEqual(await newestDonation(secondStart), donation);
  });

  test('loses no data after kill -9 of all processes', async () => {
    const running = Object.values(processesOf(system, dataDir));
    killAll([system.pid, ...running]);
    await waitUntilExited(running);

    system = launch(dataDir);
    assert.deepEqual(await newestDonation(await system.ready()), donation);
  });

  test('stops the services and the database if it is killed alone', async () => {
    const running = Object.values(processesOf(system, dataDir));
    await system.end('SIGKILL');
    await waitUntilExited(running);
  });

  test("with Stripe's keys starts no sandbox", async () => {
    const emptyFolder = makeDataDir(); // The first start of somebody who has Stripe's keys.
    const withKeys = launch(emptyFolder, {
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
    });
    const { site } = await withKeys.ready();
    assert.ok(!('sandbox' in processesOf(withKeys, emptyFolder)));
    const policy = (await fetch(site)).headers.get('content-security-policy');
    assert.match(policy ?? '', /script-src \S+ https:\/\/js\.stripe\.com /);
    assert.equal(await withKeys.end('SIGTERM'), 0);
  });

  test('ends its shell, and then all services, on a SIGTERM to npm', async () => {
    const inShell = launchInShell(dataDir);
    const { site } = await inShell.ready();
    await inShell.end('SIGTERM'); // Resolves once no process has the shell's output open.
    await assert.rejects(fetch(site));
    // While a service runs, the folder is locked and the next test cannot start the system.
  });

  test('exits if a service dies, and names it and its exit', async () => {
    system = launch(dataDir);
    await system.ready();
    const running = processesOf(system, dataDir);
    assert.ok(running['api']);
    process.kill(running['api'], 'SIGKILL');
    assert.equal(await system.ended, 1);
    assert.match(system.output(), /^api was ended by SIGKILL\.$/m);
    const { postgres, ...services } = running;
    await waitUntilExited(Object.values(services));

    const { code } = await reset(dataDir); // Also stops the database that was left running.
    assert.equal(code, 0);
    await waitUntilExited([postgres ?? 0]);
    assert.ok(!existsSync(dataDir));
  });
});

describe('npm start -- --empty', () => {
  const dataDir = makeDataDir();
  after(() => reset(dataDir));

  test('prints the setup link once and no card, and a command that deletes its folder', async () => {
    const system = launch(dataDir, {}, ['--empty']);
    const { organization_id } = await system.ready();
    assert.equal(organization_id, '');
    assert.deepEqual(logLines(system), []);
    assert.equal(system.output().split('/setup?token=').length - 1, 1, system.output());
    assert.match(system.output(), /Start here +http\S+\/setup\?token=/);
    assert.match(system.output(), /sk_test_own_garden/);
    assert.doesNotMatch(system.output(), /4242/);
    assert.equal(await system.end('SIGTERM'), 0);

    const [, command = ''] = /deletes the folder: (.+)$/m.exec(system.output()) ?? [];
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: ROOT });
    assert.ok(stdout.includes(`Deleted ${dataDir}.`), stdout);
    assert.ok(!existsSync(dataDir));
  });
});

describe('npm start, stopped while it starts', () => {
  for (const afterMs of [0, 600, 1200]) {
    test(`${afterMs} ms after it locked its folder leaves nothing running`, async () => {
      const dataDir = makeDataDir();
      const system = launch(dataDir);
      // A signal before the lock ends the process by default, with nothing to clean up.
      await waitUntil(() => existsSync(join(dataDir, 'start.lock')), system.output);
      // Another moment of the start for each case: its services start one after the other.
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      const running = processesOf(system, dataDir);
      assert.equal(await system.end('SIGTERM'), 0, system.output());
      await waitUntilExited(Object.values({ ...running, ...processesOf(system, dataDir) }));
      assert.equal((await reset(dataDir)).code, 0);
    });
  }
});

describe('npm start with invalid settings', () => {
  const dataDir = makeDataDir();
  after(() => reset(dataDir));
  const startAndFail = async (env: Record<string, string>) => {
    const system = launch(dataDir, env);
    assert.equal(await system.ended, 1);
    assert.ok(!existsSync(join(dataDir, 'postgres')), 'nothing was started');
    return system.output();
  };

  test('names the variable of every port in use', async () => {
    const [item, other] = await Promise.all([holdPort(), holdPort()]);
    const output = await startAndFail({
      SERVER_PORT: String(item.port),
      DEMO_PORT: String(other.port),
    });
    assert.match(
      output,
      new RegExp(`^Port ${item.port} is taken. Set SERVER_PORT to another.$`, 'm'),
    );
    assert.match(
      output,
      new RegExp(`^Port ${other.port} is taken. Set DEMO_PORT to another.$`, 'm'),
    );
    item.close();
    other.close();
  });

  test('names the variable of a port that browsers block', async () => {
    assert.match(
      await startAndFail({ SERVER_PORT: '6000' }),
      /^Browsers refuse port 6000\. Set SERVER_PORT to another\.$/m,
    );
  });

  test('names the variable that is not a port', async () => {
    assert.match(
      await startAndFail({ API_PORT: '70000' }),
      /^API_PORT: "70000" is not a port number/,
    );
  });

  test('names two variables with the same port', async () => {
    const output = await startAndFail({ API_PORT: '4000', SERVER_PORT: '4000' });
    assert.match(output, /^API_PORT and SERVER_PORT are both 4000\.$/m);
  });

  test('names the missing Stripe keys', async () => {
    const output = await startAndFail({ STRIPE_SECRET_KEY: 'sk_test_1' });
    assert.match(output, /STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET/);
  });
});

describe('npm start with damaged files', () => {
  const dataDir = makeDataDir();
  after(() => reset(dataDir));

  for (const [file, content, problem] of [
    ['secrets.json', '', 'it does not contain a JSON object'],
    ['secrets.json', '{"session":"', 'it does not contain a JSON object'],
    ['secrets.json', '{"session":""}', '"session" must have at least 32 characters'],
    ['demo.json', '', 'it does not contain a JSON object'],
  ] as const) {
    test(`names ${file} that contains ${JSON.stringify(content)}, and how to repair it`, async () => {
      const path = join(dataDir, file);
      writeFileSync(path, content);
      const system = launch(dataDir);
      assert.equal(await system.ended, 1);
      assert.ok(system.output().includes(`${path} is damaged: ${problem}`), system.output());
      assert.match(system.output(), /Delete the file: /);
      rmSync(path);
    });
  }
});
