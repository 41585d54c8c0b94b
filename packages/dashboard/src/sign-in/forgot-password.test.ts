import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startMailServer } from '@connect-embed/api/test-support/network/mail-server';
import { eventually, startApi } from '@connect-embed/api/test-support/app/start-api';
import { DEMO_PASSWORD, DEMO_PEOPLE } from '@connect-embed/api/users/demo-people';

const mail = await startMailServer();
after(() => mail.stop());
const api = await startApi({ env: { SMTP_URL: mail.url, MAIL_FROM: 'connect@example.org' } });
const { visitor } = api;
const [OWNER, , VOLUNTEER] = DEMO_PEOPLE.map(({ email }) => email);
const FRESH = 'a password that is new';

/** Extracts the link from an email, which is quoted-printable. */
const linkIn = (source: string, path: string) =>
  new RegExp(`http://[^\\s"]*${path}\\?token=[\\w-]+`).exec(
    source.replace(/=\r\n/g, '').replaceAll('=3D', '='),
  )?.[0] ?? '';

async function requestLink(email: string) {
  const person = visitor();
  const page = await person.open('/forgot-password');
  return { person, response: await person.send(page, '/forgot-password', { email }) };
}

const mailTo = (email: string) =>
  eventually(async () => mail.received.find(({ to }) => to === email));

describe('a forgotten password', () => {
  test('a link is emailed; it works once and ends all sessions', async () => {
    const signedIn = visitor();
    await signedIn.openAs(VOLUNTEER!, '/dashboard/account');
    const { person, response } = await requestLink(VOLUNTEER!);
    assert.match(response.text, /If this address has an account/);
    const link = linkIn((await mailTo(VOLUNTEER!)).source, '/reset-password');
    const form = await person.open(link);
    const short = await person.send(form, '/reset-password', { new_password: 'short' });
    assert.equal(short.status, 400);
    const done = await person.send(short, '/reset-password', { new_password: FRESH });
    assert.match(done.text, /Password changed/);
    assert.equal((await signedIn.open('/dashboard/account')).url.pathname, '/sign-in');
    const secondUse = await person.send(form, '/reset-password', { new_password: `${FRESH} 2` });
    assert.match(secondUse.text, /has expired/);
    const signIn = await person.open('/sign-in');
    const fields = { email: VOLUNTEER!, password: DEMO_PASSWORD };
    assert.equal((await person.send(signIn, '/sign-in', fields)).status, 401);
    const right = await person.send(signIn, '/sign-in', { ...fields, password: FRESH });
    assert.equal(right.url.pathname, '/dashboard/org_harbor');
  });

  test('the response is the same for an email address without an account', async () => {
    const knownAccount = await requestLink(OWNER!);
    const unknown = await requestLink('nobody@example.org');
    assert.equal(unknown.response.text, knownAccount.response.text);
    assert.equal(unknown.response.status, knownAccount.response.status);
  });

  test('the database contains no usable reset link', async () => {
    await requestLink(OWNER!);
    const link = linkIn((await mailTo(OWNER!)).source, '/reset-password');
    const token = new URL(link).searchParams.get('token') ?? 'none';
    const { rows } = await api.pool.query('select * from sign_in_verification');
    assert.ok(rows.length > 0);
    assert.ok(!JSON.stringify(rows).includes(token));
  });

  test('the number of emails to one address is limited', async () => {
    const admin = 'admin@harborstreet.example';
    const mails = () => mail.received.filter(({ to }) => to === admin);
    for (let count = 0; count < 6; count += 1) await requestLink(admin);
    await eventually(async () => mails()[2]);
    // A fourth mail would arrive before the one of this later request.
    await requestLink('developer@sprout.example');
    await mailTo('developer@sprout.example');
    assert.equal(mails().length, 3);
  });

  test('the log contains the reason of a failed email, but not its recipient', async () => {
    mail.replies.push('450 4.2.1 <developer@sprout.example> is busy');
    await requestLink('developer@sprout.example');
    const line = await eventually(async () =>
      api.logged.find((line) => /password reset email was not sent/.test(line)),
    );
    assert.match(line, /"reason":"Error EENVELOPE 450"/);
    assert.doesNotMatch(line, /sprout/);
  });

  test('without email, the page names the command that creates a link', async () => {
    const plain = await startApi();
    const page = await plain.visitor().open('/forgot-password');
    assert.match(page.text, /connect-embed people reset-password/);
    assert.equal(page.document.querySelector('form'), null);
  });
});

describe('an invitation by email', () => {
  test('is sent to its recipient, and its link is not shown to the inviter', async () => {
    const person = visitor();
    const team = '/dashboard/org_harbor/team';
    await person.openAs(OWNER!, team);
    const fields = { email: 'by-mail@example.org', role: 'member' };
    const page = await person.post(`${team}/invitations`, fields);
    assert.match(page.text, /Invitation sent to by-mail@example\.org/);
    assert.doesNotMatch(page.text, /token=/);
    const link = linkIn((await mailTo('by-mail@example.org')).source, '/invitation');
    assert.match((await visitor().open(link)).text, /Join Harbor Street/);
  });
});
