import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OWNER } from '@connect-embed/api/test-support/app/start-oauth';
import { SERVER_KEY, startApi } from '@connect-embed/api/test-support/app/start-api';
import { textOf, textsOf } from '@connect-embed/api/test-support/browser/read-document';
import { removeExpired } from '@connect-embed/api/process/remove-expired';
import { createForm } from '@connect-embed/api/resources/forms/edit-form';
import { publishForm } from '@connect-embed/api/resources/forms/publish-form';
import { setMembership } from '@connect-embed/api/users/membership';
import { createOrganization } from '@connect-embed/api/users/organizations';

const api = await startApi({
  env: { SERVER_BASE_URL: 'https://give.example.org', SERVER_API_KEY: SERVER_KEY },
});
const { db, visitor } = api;
const { id: personId } = await db
  .selectFrom('person')
  .select('id')
  .where('email', '=', OWNER)
  .executeTakeFirstOrThrow();
const id = await createOrganization(db, { name: 'Seeds', slug: 'seeds', currency: 'usd' });
await setMembership(db, { organizationId: id, personId, role: 'owner' });
const HOME = `/dashboard/${id}`;
const owner = visitor();
const open = (path = '') => owner.openAs(OWNER, HOME + path);

const NEXT_STEP = '[aria-label="Next step"]';

/** The names of the steps that the home page shows as done. */
const doneSteps = async () =>
  textsOf((await open()).document, '.name')
    .filter((name) => name.endsWith(': done'))
    .map((name) => name.replace(/ ?: done$/, ''));

describe('the checklist', () => {
  test('names the next step on the home page, and above other pages but its own', async () => {
    assert.deepEqual(await doneSteps(), ['Set up your organization']);
    const home = await open();
    assert.match(home.text, /1 of 8 steps done/);
    assert.ok(home.document.querySelector('a.button[href$="/payments"]'));
    assert.match(textOf((await open('/funds')).document, NEXT_STEP)!, /Set up card payments/);
    assert.equal((await open('/payments')).document.querySelector(NEXT_STEP), null);
  });

  test('follows the data of the organization', async () => {
    assert.doesNotMatch((await open('/server')).text, /The server is at/);
    await api.addServerKey(id);
    await db
      .insertInto('allowed_site')
      .values({ id: 'site_1', organization_id: id, origin: 'https://seeds.example' })
      .execute();
    assert.deepEqual(await doneSteps(), [
      'Set up your organization',
      'Connect your server',
      'Allow your website',
    ]);
    assert.match((await open('/test-donation')).text, /Publish a form and connect your server/);
    const server = await open('/server');
    assert.match(textsOf(server.document, 'p').join('\n'), /The server is at https:\/\/give/);
    assert.match(textsOf(server.document, 'p > code').join('\n'), /^https:\/\/give/m);
  });

  test('remembers that the form was shown, after its sessions are deleted', async () => {
    const { token } = await api.createKey(['payments:write'], id);
    const formId = await createForm(db, id, { name: 'Seeds', slug: 'seeds', terms: {} });
    const ref = { organizationId: id, id: formId };
    await publishForm(db, ref, { revision: 1, personId });
    assert.ok(!(await doneSteps()).includes('Put the form on your page'));
    assert.equal((await api.post('/embed-sessions', token, { form: 'seeds' })).status, 201);
    await db
      .updateTable('embed_session')
      .set({ expires_at: new Date(0) })
      .where('organization_id', '=', id)
      .execute();
    await removeExpired(db);
    assert.ok((await doneSteps()).includes('Put the form on your page'));
  });

  test('is not shown to plain members', async () => {
    await setMembership(db, { organizationId: id, personId, role: 'member' });
    assert.doesNotMatch((await open()).text, /Get your first donation/);
    assert.equal((await open('/test-donation')).status, 403);
  });

  test('can be hidden by owners only', async () => {
    await setMembership(db, { organizationId: id, personId, role: 'admin' });
    assert.doesNotMatch((await open()).text, /Hide this list/);
    const refused = await owner.post(`${HOME}/checklist/hide`, {});
    assert.match(refused.text, /Only owners can hide the checklist[^]*Get your first donation/);
    await setMembership(db, { organizationId: id, personId, role: 'owner' });
    const hidden = await owner.send(await open(), `${HOME}/checklist/hide`, {});
    assert.match(hidden.text, /The checklist is hidden/);
    assert.doesNotMatch(hidden.text, /Get your first donation/);
  });

  test('shows the open steps of the demo data', async () => {
    const page = await owner.open('/dashboard/org_harbor');
    assert.match(page.text, /Get your first donation/);
  });

  test('disappears for good when all steps are done', async () => {
    const organization_id = 'org_harbor';
    await db
      .insertInto('allowed_site')
      .values({ id: 'site_2', organization_id, origin: 'https://harbor.example' })
      .execute();
    await api.createKey(['payments:write']);
    const keys = { encrypted_secret_key: '', secret_key_end: 'test', publishable_key: '' };
    await db
      .insertInto('stripe_key')
      .values({ organization_id, ...keys, livemode: true })
      .execute();
    assert.match((await owner.open('/dashboard/org_harbor')).text, /Your forms take real money/);
    const donation = await db
      .selectFrom('donation')
      .select('id')
      .where('organization_id', '=', organization_id)
      .executeTakeFirstOrThrow();
    await db
      .updateTable('donation')
      .set({ processor_payment_intent_id: 'pi_live', livemode: true })
      .where('id', '=', donation.id)
      .execute();
    await db
      .insertInto('processor_account')
      .values({
        ...{ id: 'acct_harbor_street', organization_id, requirements_due: [] },
        ...{ charges_enabled: true, payouts_enabled: true, details_submitted: true },
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const done = await owner.open('/dashboard/org_harbor');
    assert.doesNotMatch(done.text, /Get your first donation/);
    await db.deleteFrom('allowed_site').where('id', '=', 'site_2').execute();
    assert.doesNotMatch((await owner.open('/dashboard/org_harbor')).text, /first donation/);
  });
});
