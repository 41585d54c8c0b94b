import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { readConfig, ROOT } from './config.ts';
import { summary, VARIABLES } from './console-messages.ts';
import { planServices } from './service-plans.ts';

const LINK = 'http://localhost:4000/setup?token=gb_setup_1';

/** Returns what `npm start` prints with an option and an environment. */
const printed = (isEmpty: boolean, env: NodeJS.ProcessEnv = {}, setupLink?: string) =>
  stripVTControlCharacters(summary(readConfig({ isEmpty }, env), setupLink));

test('the help names every variable that the launcher reads', () => {
  const read = new Set<string | symbol>();
  const variables: NodeJS.ProcessEnv = new Proxy(
    {},
    {
      get: (_, name) => void read.add(name),
      has: (_, name) => Boolean(void read.add(name)),
    },
  );
  const secrets = { session: '', viewer: '', sandboxWebhook: '', serverKey: '' };
  const plans = planServices({ ...readConfig({}, {}), variables }, secrets);
  plans.createBffPlan('');
  assert.ok(read.has('ALLOWED_ORIGINS') && read.has('DATABASE_URL'));
  for (const name of read) assert.ok(VARIABLES.includes(String(name)), String(name));
});

describe('the data folder of npm start', () => {
  for (const [title, isEmpty, env, folder, command] of [
    ['with demo data', false, {}, '.data', 'npm run reset'],
    ['--empty', true, {}, '.data-empty', 'npm run reset -- --empty'],
    ['START_EMPTY', false, { START_EMPTY: '1' }, '.data-empty', 'npm run reset -- --empty'],
    ['DATA_DIR', false, { DATA_DIR: '.data-b' }, '.data-b', 'DATA_DIR=.data-b npm run reset'],
    ['DATA_DIR and --empty', true, { DATA_DIR: '/a/b' }, '/a/b', 'DATA_DIR=/a/b npm run reset'],
    [
      'a name that a shell would split',
      false,
      { DATA_DIR: "/a b's" },
      "/a b's",
      String.raw`DATA_DIR='/a b'\''s' npm run reset`,
    ],
  ] as const) {
    test(`${title}: is named with the command that deletes it`, () => {
      const output = printed(isEmpty, env, isEmpty ? LINK : undefined);
      assert.ok(output.includes(`Data is kept in ${folder}. `), output);
      assert.ok(output.includes(`this deletes the folder: ${command}\n`), output);
    });
  }

  test('is ignored by Git', () => {
    assert.ok(readFileSync(join(ROOT, '.gitignore'), 'utf8').split('\n').includes('.data*/'));
  });
});

describe('what to do first', () => {
  test('is a donation with demo data', () => {
    assert.match(printed(false), /Give with card 4242/);
  });

  test('is the setup with --empty', () => {
    const output = printed(true, {}, LINK);
    assert.ok(output.includes(LINK));
    assert.match(output, /Set it up at the first address/);
    assert.doesNotMatch(output, /4242/);
  });

  test('is to sign in where --empty finds a database that is set up', () => {
    assert.match(printed(true), /is set up already: sign in to the dashboard/);
  });
});
