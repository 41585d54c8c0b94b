import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { cloneDatabase } from '../../test-support/database/database.ts';
import { runCommand } from '../../test-support/processes/run-command.ts';

const { url, drop } = await cloneDatabase();
after(drop);

const run = (...args: string[]) =>
  runCommand({ DATABASE_URL: url, API_SECRET: 'a secret of thirty-two characters' }, ...args);

describe('connect-embed people, connect-embed apps', () => {
  test('create a person and an app, and rotate its secret', async () => {
    assert.equal((await run('seed')).code, 0);
    const email = 'Kim@Example.org';
    const person = await run('people', 'create', '--email', email, '--name', 'Kim');
    assert.match(person.stdout, /^Created per_\w+ for Kim@Example.org/);
    const repeated = await run('people', 'create', '--email', 'kim@example.org', '--name', 'Kim');
    assert.match(repeated.stderr, /already has an account/);

    const link = (await run('people', 'reset-password', 'kim@example.org')).stdout;
    assert.match(link, /http:\/\/localhost:4000\/reset-password\?token=\w+/);
    assert.match((await run('people', 'reset-password', 'x@example.org')).stderr, /No person has/);

    const member = ['--organization', 'org_harbor'];
    assert.equal((await run('people', 'join', email, ...member, '--role', 'owner')).code, 0);
    assert.match((await run('people', 'list')).stdout, /kim@example.org\tKim\towner of org_harbor/);
    assert.equal((await run('people', 'leave', email, ...member)).code, 0);
    assert.match((await run('people', 'leave', email, ...member)).stderr, /not a member/);

    const app = ['apps', 'create', '--owner', email, '--name', 'Sprout', '--json'];
    const rejected = await run(...app, '--redirect-uri', 'http://sprout.example/callback');
    assert.match(
      rejected.stderr,
      /redirect_uris contains http:\/\/sprout.example\/callback, which must use https/,
    );
    const created = await run(...app, '--redirect-uri', 'https://sprout.example/callback');
    const { client_id, client_secret } = JSON.parse(created.stdout) as Record<string, string>;
    assert.match(client_secret ?? '', /^gbs_/);
    assert.match((await run('apps', 'list')).stdout, new RegExp(`^${client_id}\t.*sprout.example`));
    const rotated = await run('apps', 'rotate-secret', client_id ?? '');
    assert.match(rotated.stdout, /gbs_[\w-]{43}/);
    assert.ok(!rotated.stdout.includes(client_secret ?? ''));
  });
});
