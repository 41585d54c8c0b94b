import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { cloneDatabase } from '../../test-support/database/database.ts';
import { MINIMAL_ENV } from '../../test-support/processes/processes.ts';

const { url, drop } = await cloneDatabase();
after(drop);

const CLI = join(import.meta.dirname, '../../../cli/src/main.ts');

function runCli(...args: string[]) {
  const env = {
    ...MINIMAL_ENV,
    DATABASE_URL: url,
    API_SECRET: 'a secret of thirty-two characters',
  };
  const { stdout, stderr, status } = spawnSync(process.execPath, [CLI, ...args], {
    env,
    encoding: 'utf8',
  });
  return { output: stdout, errorOutput: stderr, status };
}

describe('connect-embed people, connect-embed apps', () => {
  test('create a person and an app, and rotate its secret', () => {
    assert.equal(runCli('seed').status, 0);
    const email = 'Kim@Example.org';
    const person = runCli('people', 'create', '--email', email, '--name', 'Kim');
    assert.match(person.output, /^Created per_\w+ for Kim@Example.org/);
    const repeated = runCli('people', 'create', '--email', 'kim@example.org', '--name', 'Kim');
    assert.match(repeated.errorOutput, /already has an account/);

    const link = runCli('people', 'reset-password', 'kim@example.org').output;
    assert.match(link, /http:\/\/localhost:4000\/reset-password\?token=\w+/);
    assert.match(runCli('people', 'reset-password', 'x@example.org').errorOutput, /No person has/);

    const member = ['--organization', 'org_harbor'];
    assert.equal(runCli('people', 'join', email, ...member, '--role', 'owner').status, 0);
    assert.match(runCli('people', 'list').output, /kim@example.org\tKim\towner of org_harbor/);
    assert.equal(runCli('people', 'leave', email, ...member).status, 0);
    assert.match(runCli('people', 'leave', email, ...member).errorOutput, /not a member/);

    const app = ['apps', 'create', '--owner', email, '--name', 'Sprout', '--json'];
    const rejected = runCli(...app, '--redirect-uri', 'http://sprout.example/callback');
    assert.match(
      rejected.errorOutput,
      /redirect_uris contains http:\/\/sprout.example\/callback, which must use https/,
    );
    const created = runCli(...app, '--redirect-uri', 'https://sprout.example/callback');
    const { client_id, client_secret } = JSON.parse(created.output) as Record<string, string>;
    assert.match(client_secret ?? '', /^gbs_/);
    assert.match(runCli('apps', 'list').output, new RegExp(`^${client_id}\t.*sprout.example`));
    const rotated = runCli('apps', 'rotate-secret', client_id ?? '');
    assert.match(rotated.output, /gbs_[\w-]{43}/);
    assert.ok(!rotated.output.includes(client_secret ?? ''));
  });
});
