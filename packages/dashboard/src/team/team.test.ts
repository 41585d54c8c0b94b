import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  ADMIN,
  OWNER,
  startOauth,
  VOLUNTEER,
  type PageResponse,
} from '@connect-embed/api/test-support/app/start-oauth';
import { eventually } from '@connect-embed/api/test-support/app/start-api';
import { attributesOf } from '@connect-embed/api/test-support/browser/read-document';
import { DEMO_PASSWORD } from '@connect-embed/api/users/demo-people';

const { api, personId, visitor, tokens } = await startOauth();
const TEAM = '/dashboard/org_harbor/team';
const PASSWORD = 'four words of my own';

const linkIn = ({ document }: PageResponse) =>
  document.querySelector('#secret')?.getAttribute('value') ?? '';
const statusOf = async (token: string) => (await api.get('/donations?limit=1', token)).status;

async function openAs(email: string, path = TEAM) {
  const person = visitor();
  return { person, page: await person.openAs(email, path) };
}

/** Invites an email address and returns the invitation link. */
async function invite(
  email: string,
  fields: Record<string, string> = { role: 'member' },
  by = OWNER,
) {
  const { person } = await openAs(by);
  const page = await person.post(`${TEAM}/invitations`, { email, ...fields });
  assert.equal(page.status, 200, page.text);
  return { person, link: linkIn(page) };
}

/** Adds a new member through the pages: invite, accept and sign in. */
async function addMember(email: string, fields?: Record<string, string>) {
  const { link } = await invite(email, fields);
  const person = visitor();
  const page = await person.open(link);
  const response = { name: email.split('@')[0] ?? '', new_password: PASSWORD };
  const dashboardPage = await person.send(page, '/invitation', response);
  assert.equal(dashboardPage.url.pathname, '/dashboard/org_harbor', dashboardPage.text);
  return { person, id: await personId(email), link };
}

describe('Team', () => {
  test('lists all members with their roles, and is open only to owners and admins', async () => {
    const { page } = await openAs(OWNER);
    for (const text of [
      'Dana Whitfield',
      'Miguel Santos',
      'June Park',
      '(you)',
      'All permissions',
    ]) {
      assert.ok(page.text.includes(text), text);
    }
    assert.equal((await openAs(VOLUNTEER)).page.status, 403);
  });

  test('an invitation link adds a new person, once', async () => {
    const { person, link } = await addMember('new@example.org', {
      role: 'admin',
      permissions: 'donations:read',
    });
    assert.match((await person.open('/dashboard/org_harbor/donations')).text, /Donations/);
    assert.equal((await person.open('/dashboard/org_harbor/payouts')).status, 403);
    const other = visitor();
    assert.equal((await other.open(link)).status, 410);
    const token = new URL(link).searchParams.get('token') ?? '';
    const repeatedForm = { token, name: 'x', new_password: PASSWORD };
    assert.equal((await other.post('/invitation', repeatedForm)).status, 410);
    const { rows } = await api.pool.query('select * from invitation');
    assert.ok(!JSON.stringify(rows).includes(token));
  });

  test('of twenty simultaneous uses of one link, one succeeds', async () => {
    const { link } = await invite('crowd@example.org');
    const token = new URL(link).searchParams.get('token') ?? '';
    const follow = async () => {
      const page = await visitor().post('/invitation', {
        token,
        name: 'x',
        new_password: PASSWORD,
      });
      // Twenty requests need more database connections than the pool has, so some may get a 503 and
      // are retried.
      return page.status === 503 ? undefined : page;
    };
    const responses = await Promise.all(Array.from({ length: 20 }, () => eventually(follow)));
    const joinedPages = responses.filter(({ url }) => url.pathname === '/dashboard/org_harbor');
    assert.ok(joinedPages.length <= 1, `${joinedPages.length} got in`);
    assert.ok(responses.every(({ status }) => status < 500));
    const members = await api.db
      .selectFrom('membership')
      .select('role')
      .where('person_id', '=', await personId('crowd@example.org'))
      .execute();
    assert.equal(members.length, 1);
  });

  test('an invited person with an account signs in first, and only that person can join', async () => {
    const email = 'developer@sprout.example';
    const { link } = await invite(email);
    const path = new URL(link).pathname + new URL(link).search;
    const { page } = await openAs(VOLUNTEER, '/dashboard/account');
    assert.equal(page.status, 200);
    const otherAccount = await openAs(VOLUNTEER, path);
    assert.equal(otherAccount.page.status, 200);
    const person = visitor();
    const invitationPage = await person.open(link);
    assert.match(invitationPage.text, /Sign in to join/);
    const next = attributesOf(invitationPage.document, 'a[href^="/sign-in"]', 'href')[0] ?? '';
    const joinPage = await person.openAs(email, next);
    assert.match(joinPage.text, /Join Harbor Street/);
    const dashboardPage = await person.send(joinPage, '/invitation', {});
    assert.equal(dashboardPage.url.pathname, '/dashboard/org_harbor');
    await invite('x@example.org'); // Further invitations still work.
  });

  test('an invitation cannot be accepted by a person with another email address', async () => {
    const { link } = await invite('somebody@example.org');
    const { person } = await openAs(VOLUNTEER, '/dashboard/account');
    const page = await person.open(link);
    assert.match(page.text, /is for somebody@example\.org, but you are signed in as/);
    const token = new URL(link).searchParams.get('token') ?? '';
    const posted = await person.post('/invitation', { token, name: 'x', new_password: PASSWORD });
    assert.match(posted.text, /signed in as/);
  });

  test('an invitation can be withdrawn and expires after a week', async () => {
    const { person, link } = await invite('late@example.org');
    await api.pool.query(
      `update invitation set expires_at = now() where email = 'late@example.org'`,
    );
    assert.equal((await visitor().open(link)).status, 410);
    const other = await invite('never@example.org');
    const list = await person.open(TEAM);
    const action = new RegExp(`action="(${TEAM}/invitations/inv_[^"]*/withdraw)"`);
    const row = list.text.slice(list.text.indexOf('never@example.org'));
    const done = await person.post(action.exec(row)?.[1] ?? '', {});
    assert.match(done.text, /Invitation withdrawn/);
    assert.equal((await visitor().open(other.link)).status, 410);
  });

  test('accepting an older invitation does not lower the permissions of a member', async () => {
    const email = 'twice@example.org';
    const { person, id, link } = await addMember(email, {
      role: 'admin',
      permissions: 'donors:read',
    });
    // Restores the invitation, as if two people had sent one at the same time.
    await api.pool.query('update invitation set accepted_at = null where email = $1', [email]);
    await api.pool.query(
      `update membership set permissions = '{payouts:read}' where person_id = $1`,
      [id],
    );
    const dashboardPage = await person.send(await person.open(link), '/invitation', {});
    assert.equal(dashboardPage.url.pathname, '/dashboard/org_harbor');
    assert.equal((await person.open('/dashboard/org_harbor/payouts')).status, 200);
    assert.equal((await person.open('/dashboard/org_harbor/donors')).status, 403);
    assert.equal((await person.open(link)).status, 410);
  });

  test('nobody can grant more than they hold', async () => {
    const { person } = await openAs(ADMIN);
    const payouts = { role: 'admin', permissions: 'payouts:read' };
    for (const [fields, problem] of [
      [{ role: 'owner' }, /Role: Select an option/],
      [payouts, /permissions that you do not have/],
    ] as const) {
      const page = await person.post(`${TEAM}/invitations`, { email: 'y@example.org', ...fields });
      assert.equal(page.status, 400);
      assert.match(page.text, problem);
    }
    const ownerId = await personId(OWNER);
    for (const path of [`${TEAM}/${ownerId}`, `${TEAM}/${ownerId}/remove`]) {
      const page = await person.post(path, { role: 'member' });
      assert.match(page.text, /Only an owner, or an admin/);
    }
    const adminId = await personId(ADMIN);
    const self = await person.post(`${TEAM}/${adminId}`, { role: 'owner' });
    assert.match(self.text, /Role: Select an option/);
    assert.match(
      (await person.post(`${TEAM}/${adminId}`, payouts)).text,
      /Only an owner, or an admin/,
    );
  });

  test('an invitation becomes invalid when its sender loses the permission to send it', async () => {
    const { person, id } = await addMember('inviter@example.org', {
      role: 'admin',
      permissions: 'donors:read',
    });
    const invited = { email: 'later@example.org', role: 'admin', permissions: 'donors:read' };
    const link = linkIn(await person.post(`${TEAM}/invitations`, invited));
    assert.equal((await visitor().open(link)).status, 200);
    const { person: owner } = await openAs(OWNER);
    await owner.post(`${TEAM}/${id}`, { role: 'admin', permissions: 'donations:read' });
    assert.equal((await visitor().open(link)).status, 410);
    await owner.post(`${TEAM}/${id}`, { role: 'admin', permissions: 'donors:read' });
    assert.equal((await visitor().open(link)).status, 200);
    await owner.post(`${TEAM}/${id}/remove`, {});
    assert.equal((await visitor().open(link)).status, 410);
  });

  test('a changed role applies from the next request', async () => {
    const { person, id } = await addMember('role@example.org', {
      role: 'admin',
      permissions: 'donors:read',
    });
    assert.equal((await person.open('/dashboard/org_harbor/donors')).status, 200);
    const { person: owner } = await openAs(OWNER);
    const saved = await owner.post(`${TEAM}/${id}`, { role: 'member' });
    assert.match(saved.text, /role was updated/);
    assert.equal((await person.open('/dashboard/org_harbor/donors')).status, 403);
  });

  test('a removed member loses access with the next request, and their API keys are listed and stay valid', async () => {
    const { person, id } = await addMember('leaver@example.org', {
      role: 'admin',
      permissions: 'donations:read',
    });
    const keys = '/dashboard/org_harbor/api-keys';
    const key = linkIn(
      await person.post(keys, { name: 'Nightly export', scopes: 'donations:read' }),
    );
    const { person: owner } = await openAs(OWNER);
    const confirmationPage = await owner.open(`${TEAM}/${id}/remove`);
    assert.match(confirmationPage.text, /stay valid/);
    assert.match(confirmationPage.text, /Nightly export/);
    assert.match((await owner.post(`${TEAM}/${id}/remove`, {})).text, /no longer on the team/);
    assert.equal((await person.open('/dashboard/org_harbor')).status, 404);
    assert.equal(await statusOf(key), 200);
    await owner.post(`/dashboard/org_harbor/api-keys/x/revoke`, {});
  });

  test('OAuth grants of a member end when they leave and are not restored when they return', async () => {
    const { person: owner } = await openAs(OWNER, '/dashboard');
    const scope = 'donations:read webhooks:write';
    const { access_token } = await tokens({ scope }, { as: ADMIN });
    assert.equal(await statusOf(access_token), 200);
    const endpoint = { url: 'https://93.184.215.14/left', events: ['connection.revoked'] };
    assert.equal((await api.post('/webhooks', access_token, endpoint)).status, 201);
    const adminId = await personId(ADMIN);
    assert.match((await owner.open(`${TEAM}/${adminId}/remove`)).text, /Sprout/);
    await owner.post(`${TEAM}/${adminId}/remove`, {});
    assert.equal(await statusOf(access_token), 401);
    const deliveries = await api.db.selectFrom('webhook_delivery').select('event_type').execute();
    assert.deepEqual(deliveries, [{ event_type: 'connection.revoked' }]);
    const { link } = await invite(ADMIN, { role: 'admin', permissions: 'donations:read' });
    const back = visitor();
    const token = new URL(link).searchParams.get('token') ?? '';
    await back.openAs(ADMIN, '/dashboard/account');
    await back.post('/invitation', { token });
    assert.equal((await back.open('/dashboard/org_harbor/donations')).status, 200);
    assert.equal(await statusOf(access_token), 401);
  });

  test('the last owner can neither leave nor lose the role', async () => {
    const { person } = await openAs(OWNER);
    const ownerId = await personId(OWNER);
    for (const [path, fields] of [
      [`${TEAM}/${ownerId}/remove`, {}],
      [`${TEAM}/${ownerId}`, { role: 'admin' }],
      ['/dashboard/account/leave/org_harbor', {}],
    ] as const) {
      assert.match((await person.post(path, fields)).text, /needs at least one owner/);
    }
  });

  test('when two owners remove each other simultaneously, one stays', async () => {
    const { person: other, id } = await addMember('second@example.org', { role: 'owner' });
    const { person } = await openAs(OWNER);
    const ownerId = await personId(OWNER);
    await Promise.all([
      person.post(`${TEAM}/${id}/remove`, {}),
      other.post(`${TEAM}/${ownerId}/remove`, {}),
    ]);
    const { rows } = await api.pool.query(
      `select person_id from membership where organization_id = 'org_harbor' and role = 'owner'`,
    );
    assert.equal(rows.length, 1);
    const sql = `insert into membership (organization_id, person_id, role) values ('org_harbor', $1, 'owner') on conflict do nothing`;
    await api.pool.query(sql, [ownerId]);
  });

  test('every member can leave', async () => {
    const { person } = await openAs(VOLUNTEER, '/dashboard/account');
    assert.match((await person.open('/dashboard/account/leave/org_harbor')).text, /You will lose/);
    const page = await person.post('/dashboard/account/leave/org_harbor', {});
    assert.match(page.text, /You left Harbor Street/);
    const repeated = await person.open('/dashboard/account/leave/org_harbor');
    assert.match(repeated.text, /You are not a member of this organization/);
    assert.equal((await person.open('/dashboard/org_harbor')).status, 404);
  });
});

describe('changing the password', () => {
  const change = (password: string, new_password: string) => ({ password, new_password });
  const PATH = '/dashboard/account/password';

  test('requires the current password and ends all other sessions', async () => {
    const { person } = await addMember('words@example.org');
    const otherBrowser = visitor();
    const signIn = await otherBrowser.open('/sign-in');
    await otherBrowser.send(signIn, '/sign-in', { email: 'words@example.org', password: PASSWORD });
    assert.equal((await otherBrowser.open('/dashboard/account')).status, 200);
    const response = await person.post(PATH, change('not the one', 'another four words'));
    assert.match(response.text, /The current password is wrong/);
    const short = await person.post(PATH, change(PASSWORD, 'short'));
    assert.match(short.text, /at least 10 characters/);
    const page = await person.post(PATH, change(PASSWORD, 'another four words'));
    assert.match(page.text, /Password changed/);
    assert.equal((await otherBrowser.open('/dashboard/account')).url.pathname, '/sign-in');
    assert.equal((await person.open('/dashboard/account')).url.pathname, '/dashboard/account');
  });

  test('attempts to guess the current password are rate-limited', async () => {
    const { person } = await addMember('guess@example.org');
    for (let count = 0; count < 10; count += 1) {
      await person.post(PATH, change(`guess number ${count}`, DEMO_PASSWORD));
    }
    const page = await person.post(PATH, change(PASSWORD, DEMO_PASSWORD));
    assert.match(page.text, /Too many attempts/);
  });
});
