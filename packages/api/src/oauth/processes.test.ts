import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { cloneDatabase } from '../../test-support/database/database.ts';
import { freePort } from '../../test-support/processes/free-port.ts';
import { startServerProcess } from '../../test-support/processes/processes.ts';
import { AUTHORIZE, CALLBACK, OWNER, type TokenBody } from '../../test-support/app/start-oauth.ts';
import { Visitor } from '../../test-support/browser/visitor.ts';
import { openDatabase } from '../db/database.ts';
import { findPersonId } from '../commands/users.ts';
import { createApp } from './apps.ts';

const database = await cloneDatabase();
const { db, close } = openDatabase(database.url);
const port = await freePort();
const env = {
  DATABASE_URL: database.url,
  API_SECRET: 'a secret of thirty-two characters',
  API_BASE_URL: `http://localhost:${port}`,
};
const main = join(import.meta.dirname, '../../../cli/src/service/main.ts');
const first = await startServerProcess(main, { ...env, API_PORT: port }, ['--seed']);
const second = await startServerProcess(main, { ...env, API_PORT: '0' });
after(async () => {
  await Promise.all([first.stop(), second.stop()]);
  await close();
  await database.drop();
});

const personId = await findPersonId(db, 'developer@sprout.example');
const redirectUris = [CALLBACK];
const app = await createApp(db, { personId, name: 'Sprout', redirectUris });

/** Approves the app as the owner and returns the code and the owner's browser. */
async function approve() {
  const owner = new Visitor(first.url);
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: app.id,
    redirect_uri: CALLBACK,
    scope: 'donations:read offline_access',
  });
  const page = await owner.openAs(OWNER, `${AUTHORIZE}?${query}`);
  const fields = { organization: 'org_harbor', decision: 'approve' };
  const { url } = await owner.send(page, page.url.pathname, fields);
  return { owner, code: url.searchParams.get('code') ?? '' };
}

async function redeem(apiProcess: { url: string }, code: string) {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    client_id: app.id,
    client_secret: app.secret,
  });
  const init = { method: 'POST', body };
  const response = await fetch(`${apiProcess.url}/api/auth/oauth2/token`, init);
  return { status: response.status, body: (await response.json()) as TokenBody };
}

const statusAt = async (apiProcess: { url: string }, token: string) =>
  (
    await fetch(`${apiProcess.url}/api/v1/donations?limit=1`, {
      headers: { authorization: `Bearer ${token}` },
    })
  ).status;

describe('two processes on one database', () => {
  test('one of fifty simultaneous redemptions of a code succeeds, and both processes accept its token', async () => {
    const { code } = await approve();
    const apiProcesses = Array.from({ length: 50 }, (_, at) => (at % 2 ? first : second));
    const responses = await Promise.all(apiProcesses.map((apiProcess) => redeem(apiProcess, code)));
    const succeeded = responses.filter(({ status }) => status === 200);
    assert.equal(succeeded.length, 1);
    const token = succeeded[0]?.body.access_token ?? '';
    assert.deepEqual([await statusAt(first, token), await statusAt(second, token)], [200, 200]);
  });

  test('a revoked app is rejected by both with the next request', async () => {
    const { owner, code } = await approve();
    const token = (await redeem(second, code)).body.access_token;
    assert.equal(await statusAt(second, token), 200);
    const list = await owner.open('/dashboard/org_harbor/connected-apps');
    const revoke = list.document.querySelector('a[href$="/revoke"]')?.getAttribute('href');
    await owner.post(revoke!, {});
    assert.deepEqual([await statusAt(first, token), await statusAt(second, token)], [401, 401]);
  });
});
