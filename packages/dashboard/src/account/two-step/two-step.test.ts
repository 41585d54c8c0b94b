import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import { ALL_SCOPES } from '@connect-embed/contract';
import { People } from '@connect-embed/api/users/people';
import {
  ADMIN,
  OWNER,
  startOauth,
  VOLUNTEER,
} from '@connect-embed/api/test-support/app/start-oauth';
import { ROUTES } from '@connect-embed/api/test-support/app/route-table';
import type { PageResponse, Visitor } from '@connect-embed/api/test-support/browser/visitor';
import { textOf, textsOf } from '@connect-embed/api/test-support/browser/read-document';
import { DEMO_PASSWORD } from '@connect-embed/api/users/demo-people';
import { resetSecondFactor } from '@connect-embed/api/users/second-factor';

const STEP_SECONDS = 30;
const currentStep = () => Math.floor(Date.now() / 1000 / STEP_SECONDS);
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * Computes a TOTP code (RFC 4226 with the counter of RFC 6238), independently of the library under
 * test.
 */
function codeOf(secret: string, step: number): string {
  const bits = [...secret].map((character) =>
    BASE32.indexOf(character).toString(2).padStart(5, '0'),
  );
  const key = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', key).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/**
 * Simulates an authenticator app. The codes of the previous, the current and the next 30 seconds are valid, because the
 * clock of a phone may be inaccurate.
 */
class Authenticator {
  readonly #secret: string;
  #last = 0;

  constructor(secret: string) {
    this.#secret = secret.replace(/\s+/g, '');
  }

  /** Returns a different code at each call, of which two are always valid. */
  code(): string {
    const now = currentStep();
    this.#last = Math.max(now - 1, this.#last + 1);
    // Skips the previous step if the current step is about to end, because the server may check the
    // code during the next step.
    if (this.#last < now && (Date.now() / 1000) % STEP_SECONDS > 25) this.#last += 1;
    return codeOf(this.#secret, this.#last);
  }

  /** Returns the code of the next 30 seconds, which is valid unless it was used. */
  next = () => codeOf(this.#secret, currentStep() + 1);

  /** Returns a code that is invalid at the current time. */
  wrong(): string {
    const now = currentStep();
    const acceptedCodes = [-2, -1, 0, 1, 2].map((by) => codeOf(this.#secret, now + by));
    return acceptedCodes.includes('000000') ? '000001' : '000000';
  }
}

const { api, connect, visitor, personId, tokens } = await startOauth();
const PATH = '/dashboard/account/two-step';
const TEAM = '/dashboard/org_harbor/team';
const WITH_PASSWORD = { password: DEMO_PASSWORD };

const keyIn = ({ document }: PageResponse) => textOf(document, '.setup-key') ?? '';
const backupCodesIn = ({ document }: PageResponse) =>
  textsOf(document, 'code').filter((code) => /^\w{5}-\w{5}$/.test(code));

/** Turns two-step sign-in on for a signed-in person. */
async function enableTwoStep(person: Visitor, path = PATH) {
  const setupPage = await person.send(await person.open(path), `${PATH}/begin`, WITH_PASSWORD);
  const app = new Authenticator(keyIn(setupPage));
  const confirmationPage = await person.send(setupPage, `${PATH}/confirm`, {
    code: app.code(),
  });
  assert.match(confirmationPage.text, /Two-step sign-in is on/);
  return { app, confirmationPage, backupCodes: backupCodesIn(confirmationPage) };
}

/** Submits the password, without the second step. */
async function enterPassword(email: string, next = '/dashboard/account') {
  const person = visitor();
  const page = await person.open(`/sign-in?${new URLSearchParams({ next })}`);
  return { person, page: await person.send(page, '/sign-in', { email, ...WITH_PASSWORD }) };
}

const enterCode = (person: Visitor, code: string, backup = false) =>
  person.post('/sign-in/code', {
    code,
    next: '/dashboard/account',
    ...(backup && { with: 'backup-code' }),
  });

const reset = async (email: string) => await resetSecondFactor(api.db, await personId(email));

describe('two-step sign-in', () => {
  test('is set up with the password and a code, and then requires a code at sign-in', async () => {
    const [person, otherBrowser] = [visitor(), visitor()];
    await person.openAs(OWNER, PATH);
    await otherBrowser.openAs(OWNER, PATH);
    const start = await person.open(PATH);
    const refused = await person.send(start, `${PATH}/begin`, { password: 'not the password' });
    assert.equal(refused.status, 400);
    const setupPage = await person.send(refused, `${PATH}/begin`, WITH_PASSWORD);
    const key = keyIn(setupPage);
    assert.match(key, /^([A-Z2-7]{4} ?){13}$/);
    assert.ok(setupPage.document.querySelector('img[src^="data:image/svg+xml,"]'));
    const app = new Authenticator(key);
    const wrongCode = await person.send(setupPage, `${PATH}/confirm`, { code: app.wrong() });
    assert.equal(wrongCode.status, 400);
    assert.equal(keyIn(wrongCode), key);
    assert.equal(
      (await enterPassword(OWNER)).page.url.pathname,
      '/dashboard/account',
      'not on yet',
    );
    const confirmationPage = await person.send(wrongCode, `${PATH}/confirm`, {
      code: app.code(),
    });
    assert.equal(backupCodesIn(confirmationPage).length, 10);
    assert.deepEqual(backupCodesIn(await person.open(PATH)), []);
    assert.equal(
      (await otherBrowser.open(PATH)).url.pathname,
      '/sign-in',
      'other sessions have ended',
    );

    const { person: secondBrowser, page } = await enterPassword(OWNER);
    assert.equal(page.url.pathname, '/sign-in/code');
    assert.equal((await secondBrowser.open('/dashboard/account')).url.pathname, '/sign-in');
    const rejected = await secondBrowser.send(page, '/sign-in/code', { code: app.wrong() });
    assert.equal(rejected.status, 401);
    assert.match(rejected.text, /The code is wrong/);
    const code = app.code();
    const spaced = `${code.slice(0, 3)} ${code.slice(3)}`;
    const dashboardPage = await secondBrowser.send(rejected, '/sign-in/code', { code: spaced });
    assert.equal(dashboardPage.url.pathname, '/dashboard/account');

    const thirdSignIn = await enterPassword(OWNER);
    const replayed = await thirdSignIn.person.send(thirdSignIn.page, '/sign-in/code', { code });
    assert.match(replayed.text, /the code was already used/);
    assert.equal((await thirdSignIn.person.open('/dashboard/account')).url.pathname, '/sign-in');
    await reset(OWNER);
  });

  test('stores the secret and the backup codes only encrypted', async () => {
    const person = visitor();
    await person.openAs(OWNER, PATH);
    const setupPage = await person.send(await person.open(PATH), `${PATH}/begin`, WITH_PASSWORD);
    const key = keyIn(setupPage).replaceAll(' ', '');
    const app = new Authenticator(key);
    const confirmationPage = await person.send(setupPage, `${PATH}/confirm`, {
      code: app.code(),
    });
    const row = await api.db
      .selectFrom('sign_in_second_factor')
      .selectAll()
      .executeTakeFirstOrThrow();
    assert.doesNotMatch(row.backup_codes, new RegExp(backupCodesIn(confirmationPage)[0] ?? 'none'));
    const bits = [...key].map((character) =>
      'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(character).toString(2).padStart(5, '0'),
    );
    const bytes = bits.join('').match(/.{8}/g) ?? [];
    const plain = String.fromCharCode(...bytes.map((byte) => parseInt(byte, 2)));
    assert.equal(plain.length, 32);
    assert.ok(!row.secret.includes(plain) && !row.secret.includes(key));
    assert.ok(!api.logged.join('').includes(key));
    await reset(OWNER);
  });

  test('accepts each backup code once instead of a code from the app', async () => {
    const firstBrowser = visitor();
    await firstBrowser.openAs(OWNER, PATH);
    const { app, backupCodes } = await enableTwoStep(firstBrowser);
    const [code = ''] = backupCodes;
    const { person } = await enterPassword(OWNER);
    assert.equal((await enterCode(person, code, true)).url.pathname, '/dashboard/account');
    const secondBrowser = await enterPassword(OWNER);
    assert.equal((await enterCode(secondBrowser.person, code, true)).status, 401);

    const passwordAndCode = { ...WITH_PASSWORD, code: app.code() };
    const renewed = await firstBrowser.post(`${PATH}/backup-codes`, passwordAndCode);
    const newCodes = backupCodesIn(renewed);
    assert.equal(newCodes.length, 10);
    const old = await enterPassword(OWNER);
    assert.equal((await enterCode(old.person, backupCodes[1]!, true)).status, 401);
    const dashboardPage = await enterCode(old.person, newCodes[0]!, true);
    assert.equal(dashboardPage.url.pathname, '/dashboard/account');
    await reset(OWNER);
  });

  test('is turned off only with both the password and a code', async () => {
    const person = visitor();
    await person.openAs(OWNER, PATH);
    const { app, backupCodes } = await enableTwoStep(person);
    const wrongCode = { ...WITH_PASSWORD, code: app.wrong() };
    assert.equal((await person.post(`${PATH}/off`, wrongCode)).status, 400);
    const wrongPassword = { password: 'not the password', code: app.code() };
    assert.equal((await person.post(`${PATH}/off`, wrongPassword)).status, 400);
    // A wrong password does not use up a backup code.
    const formWithWrongPassword = { password: 'not the password', code: backupCodes[2]! };
    assert.equal((await person.post(`${PATH}/off`, formWithWrongPassword)).status, 400);
    assert.equal((await enterPassword(OWNER)).page.url.pathname, '/sign-in/code');
    const disabledPage = await person.post(`${PATH}/off`, {
      ...WITH_PASSWORD,
      code: backupCodes[2]!,
    });
    assert.equal(disabledPage.url.pathname, '/dashboard/account');
    assert.match(disabledPage.text, /Two-step sign-in is off/);
    assert.equal((await enterPassword(OWNER)).page.url.pathname, '/dashboard/account');
  });

  test('codes cannot be guessed at sign-in', async () => {
    const firstBrowser = visitor();
    await firstBrowser.openAs(VOLUNTEER, PATH);
    const { app } = await enableTwoStep(firstBrowser);
    for (let challenge = 0; challenge < 2; challenge += 1) {
      const { person } = await enterPassword(VOLUNTEER);
      for (let attempt = 0; attempt < 5; attempt += 1) await enterCode(person, app.wrong());
      const response = await enterCode(person, app.next());
      assert.equal(response.status, 401, 'five codes for a password');
      assert.match(response.text, /Sign in again/);
    }
    const { person } = await enterPassword(VOLUNTEER);
    const locked = await enterCode(person, app.next());
    assert.equal(locked.status, 401, 'ten wrong codes in a row');
    await reset(VOLUNTEER);
  });

  test('codes cannot be guessed within a session', async () => {
    const person = visitor();
    await person.openAs(VOLUNTEER, PATH);
    const { app } = await enableTwoStep(person);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const wrongCode = { ...WITH_PASSWORD, code: app.wrong() };
      assert.equal((await person.post(`${PATH}/off`, wrongCode)).status, 400);
    }
    const right = { ...WITH_PASSWORD, code: app.code() };
    const refused = await person.post(`${PATH}/off`, right);
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    await reset(VOLUNTEER);
  });

  test('a code is rejected without the password before it', async () => {
    const person = visitor();
    assert.equal((await person.open('/sign-in/code')).url.pathname, '/sign-in');
    const response = await person.post('/sign-in/code', { code: '123456' });
    assert.equal(response.status, 401);
    assert.match(response.text, /Sign in again/);
  });

  test('can be turned on only by the session that entered the password', async () => {
    const person = visitor();
    await person.openAs(OWNER, PATH);
    const setupPage = await person.send(await person.open(PATH), `${PATH}/begin`, WITH_PASSWORD);
    const app = new Authenticator(keyIn(setupPage));
    const response = await person.post(`${PATH}/confirm`, { code: app.code() });
    assert.doesNotMatch(response.text, /Two-step sign-in is on|setup-key/);
    assert.equal((await enterPassword(OWNER)).page.url.pathname, '/dashboard/account');
  });
});

describe('an organization that requires two-step sign-in', () => {
  const REQUIRED = { required: 'on' };

  test('redirects members who may refund to the setup and back to the refund', async () => {
    const owner = visitor();
    const page = await owner.openAs(OWNER, TEAM);
    assert.match(page.text, /0 of 2 members who can refund/);
    const enabledPage = await owner.send(page, `${TEAM}/two-step`, {});
    assert.match(enabledPage.text, /now requires two-step sign-in/);
    const { id } = await api.db
      .selectFrom('donation')
      .select('id')
      .where('organization_id', '=', 'org_harbor')
      .where('refund_status', '=', 'none')
      .where('dispute_status', '=', 'none')
      .executeTakeFirstOrThrow();
    const paymentColumns = { processor_payment_intent_id: 'pi_for_this_test', livemode: false };
    await api.db.updateTable('donation').set(paymentColumns).where('id', '=', id).execute();
    const refund = `/dashboard/org_harbor/donations/${id}/refund`;

    const admin = visitor();
    const setupRedirect = await admin.openAs(ADMIN, refund);
    assert.equal(setupRedirect.url.pathname, PATH);
    assert.match(setupRedirect.text, /requires two-step sign-in for changes and exports/);
    const fields = { amount: '1.00', reason: 'requested_by_customer', returned_before: '0' };
    assert.equal((await admin.post(refund, fields)).url.pathname, PATH);
    const { confirmationPage } = await enableTwoStep(
      admin,
      `${PATH}?${new URLSearchParams({ next: refund })}`,
    );
    assert.ok(confirmationPage.document.querySelector(`a[href="${refund}"]`));
    const form = await admin.open(refund);
    assert.equal(form.url.pathname, refund);
    assert.ok(form.document.querySelector('[name="amount"]'));
    assert.match((await owner.open(TEAM)).text, /1 of 2 members who can refund/);

    const response = await owner.send(await owner.open(TEAM), `${TEAM}/two-step`, {});
    assert.equal(response.url.pathname, PATH, 'a password alone does not end the requirement');
    assert.equal((await owner.open(refund)).url.pathname, PATH);
    const back = await admin.send(await admin.open(TEAM), `${TEAM}/two-step`, {});
    assert.match(back.text, /no longer requires/);
    assert.equal((await owner.open(refund)).url.pathname, refund);
    await reset(ADMIN);
  });

  test('also protects refunds of registrations', async () => {
    const owner = visitor();
    await owner.openAs(OWNER, TEAM);
    await owner.post(`${TEAM}/two-step`, REQUIRED);
    const { id, event_id } = await api.db
      .selectFrom('registration')
      .select(['id', 'event_id'])
      .where('organization_id', '=', 'org_harbor')
      .executeTakeFirstOrThrow();
    const refund = `/dashboard/org_harbor/events/${event_id}/registrations/${id}/refund`;
    assert.equal((await owner.open(refund)).url.pathname, PATH);
    assert.equal((await owner.post(refund, {})).url.pathname, PATH);
    await enableTwoStep(owner);
    assert.equal((await owner.open(refund)).url.pathname, refund);
    await owner.post(`${TEAM}/two-step`, { required: '' });
    await reset(OWNER);
    const secondBrowser = visitor();
    await secondBrowser.openAs(OWNER, TEAM);
    assert.notEqual((await secondBrowser.open(refund)).url.pathname, PATH);
  });

  test('also protects invitations and role changes that decide who may refund', async () => {
    const volunteer = await personId(VOLUNTEER);
    const readMembership = () =>
      api.db
        .selectFrom('membership')
        .select('role')
        .where('person_id', '=', volunteer)
        .where('organization_id', '=', 'org_harbor')
        .executeTakeFirstOrThrow();
    const owner = visitor();
    await owner.openAs(OWNER, TEAM);
    await owner.post(`${TEAM}/two-step`, REQUIRED);
    for (const page of [`${TEAM}/invitations/new`, `${TEAM}/${volunteer}`]) {
      assert.equal((await owner.open(page)).url.pathname, PATH);
    }
    const ownerRole = { role: 'owner', email: 'accomplice@example.org' };
    const refused = await owner.post(`${TEAM}/invitations`, ownerRole);
    assert.match(refused.text, /requires two-step sign-in/);
    const invited = await api.db.selectFrom('invitation').selectAll().execute();
    assert.deepEqual(invited, []);
    const roleChange = await owner.post(`${TEAM}/${volunteer}`, ownerRole);
    assert.match(roleChange.text, /requires two-step sign-in/);
    assert.equal((await readMembership()).role, 'member');

    await enableTwoStep(owner);
    const response = await owner.post(`${TEAM}/invitations`, { ...ownerRole, role: 'member' });
    assert.equal(response.status, 200, response.text);
    assert.equal((await api.db.selectFrom('invitation').selectAll().execute()).length, 1);
    await owner.post(`${TEAM}/two-step`, { required: '' });
    await reset(OWNER);
  });

  test('refuses every form and export without it, except searches, previews and the setup', async () => {
    const owner = visitor();
    await owner.openAs(OWNER, TEAM);
    await owner.post(`${TEAM}/two-step`, REQUIRED);
    const volunteer = await personId(VOLUNTEER);
    const pathOf = (route: string) =>
      route
        .replace(':organization', 'org_harbor')
        .replace('team/:person', `team/${volunteer}`)
        .replace('leave/:id', 'leave/org_harbor')
        .replace(/:\w+(\{[^}]*\})?/g, 'unknown_1');
    const routes = api.app.routes.filter(({ path }) => path.startsWith('/dashboard'));
    const forms = routes.filter(({ method }) => !['GET', 'ALL'].includes(method));
    const isOpen = async ({ path }: { path: string }) =>
      (await owner.post(pathOf(path), {})).url.pathname !== PATH;
    const open = [];
    for (const form of forms) {
      // The forms of the setup stay on its own page.
      if (!form.path.startsWith(`${PATH}/`) && (await isOpen(form))) open.push(form.path);
    }
    const organization = '/dashboard/:organization';
    assert.deepEqual(
      new Set(open),
      new Set([
        `${organization}/search`,
        `${organization}/donations/search`,
        `${organization}/donors/search`,
        `${organization}/forms/:id/preview`,
      ]),
    );
    assert.ok(forms.length > 60, 'the routes of the dashboard are found');
    const files = routes.filter(({ path }) => path.endsWith('.csv'));
    assert.ok(files.length > 5);
    for (const { path } of files) {
      assert.equal((await owner.open(pathOf(path))).url.pathname, PATH, path);
    }
    // With `download`, browsers would save the page of the setup instead of showing it.
    const { document: list } = await owner.open('/dashboard/org_harbor/donations');
    assert.equal(list.querySelector('a[href$="/export.csv"]')?.hasAttribute('download'), false);

    const { response } = await connect();
    assert.equal(response.status, 403);
    assert.match(response.text, /Harbor.* requires two-step sign-in/);

    const fromPage = await owner.post(
      '/dashboard/org_harbor/webhooks/we_1/test',
      {},
      { referer: new URL('/dashboard/org_harbor/webhooks', api.url).href },
    );
    assert.equal(fromPage.url.searchParams.get('next'), '/dashboard/org_harbor/webhooks');

    await enableTwoStep(owner);
    await owner.post(`${TEAM}/${volunteer}/remove`, {});
    assert.doesNotMatch((await owner.open(TEAM)).text, new RegExp(VOLUNTEER));
    await owner.post(`${TEAM}/two-step`, { required: '' });
    await reset(OWNER);
    await api.db
      .insertInto('membership')
      .values({ organization_id: 'org_harbor', person_id: volunteer, role: 'member' })
      .execute();
  });

  test('cannot be bypassed with an API credential: none can refund, create keys or change the team', async () => {
    const writeRoutes = ROUTES.filter(({ method }) => method !== 'GET').map(({ path }) => path);
    assert.ok(writeRoutes.length > 0);
    for (const path of writeRoutes)
      assert.doesNotMatch(path, /refund|key|team|member|people|person/);
    const { access_token } = await tokens({ scope: ALL_SCOPES.join(' ') });
    const bearer = { authorization: `Bearer ${access_token}` };
    for (const path of [
      `${TEAM}/two-step`,
      `${TEAM}/invitations`,
      '/dashboard/org_harbor/api-keys',
      '/dashboard/org_harbor/donations/don_1/refund',
    ]) {
      const response = await visitor().post(path, {}, bearer);
      assert.equal(response.url.pathname, '/sign-in', path);
    }
  });

  test('a password reset link does not bypass the code', async () => {
    const person = visitor();
    await person.openAs(OWNER, PATH);
    await enableTwoStep(person);
    const secret = api.config.loadOrCreateSecret();
    const people = new People(api.db, { secret, baseUrl: api.url });
    const { token } = (await people.requestPasswordReset(OWNER))!;
    assert.equal(await people.resetPassword(token, DEMO_PASSWORD), OWNER);
    assert.equal((await person.open(PATH)).url.pathname, '/sign-in');
    const { person: secondBrowser, page } = await enterPassword(OWNER);
    assert.equal(page.url.pathname, '/sign-in/code');
    assert.equal((await secondBrowser.open(TEAM)).url.pathname, '/sign-in');
    await reset(OWNER);
  });

  test('the requirement can be set only by owners and admins', async () => {
    const volunteer = visitor();
    await volunteer.openAs(VOLUNTEER, '/dashboard');
    assert.equal((await volunteer.post(`${TEAM}/two-step`, REQUIRED)).status, 403);
  });
});
