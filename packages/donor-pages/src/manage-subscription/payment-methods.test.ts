import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import type { EmbedSession } from '@connect-embed/contract';
import { subscriptionHelpers } from '@connect-embed/api/test-support/donations/subscriptions';
import { eventually, startApi } from '@connect-embed/api/test-support/app/start-api';
import { readDocument } from '@connect-embed/api/test-support/browser/read-document';
import { createManageLinks } from '@connect-embed/api/mail/manage-link';
import { WEBSITE_FORM_ID } from '@connect-embed/api/db/seed/forms';
import { LANGUAGES } from '@connect-embed/locales';

const api = await startApi({ sandbox: true });
const { app, db } = api;
const { createUnpaid, openPage, rowOf } = subscriptionHelpers(api);
const { token } = await api.createKey();
const manageLinks = createManageLinks({
  secret: 'a secret of thirty-two characters',
  baseUrl: '',
});

/** Starts a plan through a form with these terms. */
async function startPlan(terms: object = {}) {
  const response = await api.post('/embed-sessions', token, { frequencies: ['monthly'], ...terms });
  const { session_token } = (await response.json()) as EmbedSession;
  const { email } = await createUnpaid({}, session_token);
  const row = (await rowOf(email))!;
  return { ...row, path: manageLinks.url(row) };
}

/** A value of the page's fields for another payment method. */
async function readData(path: string, name: string): Promise<string> {
  const form = readDocument(await openPage(`${path}/card`)).querySelector('#card-form')!;
  return form.getAttribute(`data-${name}`)!;
}

const chooseForOrganization = (...types: string[]) =>
  db.updateTable('organization').set({ payment_method_types: types }).execute();

afterEach(() => chooseForOrganization('card'));

describe('the payment methods that a donor can change to', () => {
  test('are those of the organization if the form has none of its own', async () => {
    const { path } = await startPlan();
    assert.equal(await readData(path, 'methods'), 'card link');
    await chooseForOrganization('card', 'us_bank_account');
    assert.equal(await readData(path, 'methods'), 'card link us_bank_account');
  });

  test('are those of the form with which the plan was started', async () => {
    const { path } = await startPlan({
      payment_method_types: ['card', 'paypal', 'us_bank_account'],
    });
    assert.equal(await readData(path, 'methods'), 'card link us_bank_account');
    const cardsOnly = await startPlan({ payment_method_types: ['card'] });
    await chooseForOrganization('card', 'us_bank_account');
    assert.equal(await readData(cardsOnly.path, 'methods'), 'card link');
  });

  test('are what a form of the dashboard offers now', async () => {
    const plan = await startPlan();
    await db
      .updateTable('recurring_plan')
      .set({ form_id: WEBSITE_FORM_ID })
      .where('id', '=', plan.id)
      .execute();
    assert.equal(await readData(plan.path, 'methods'), 'card link');
    const version = db.updateTable('form_version').where('form_id', '=', WEBSITE_FORM_ID);
    const { settings } = await db
      .selectFrom('form_version')
      .select('settings')
      .where('form_id', '=', WEBSITE_FORM_ID)
      .executeTakeFirstOrThrow();
    const terms = { ...settings.terms, payment_method_types: ['card', 'us_bank_account'] };
    await version.set({ settings: JSON.stringify({ ...settings, terms }) }).execute();
    assert.equal(await readData(plan.path, 'methods'), 'card link us_bank_account');
  });

  test('are the same in the form for another donation after the plan has ended', async () => {
    const plan = await startPlan({ payment_method_types: ['card', 'us_bank_account'] });
    await db
      .updateTable('recurring_plan')
      .set({ status: 'canceled', canceled_at: new Date() })
      .where('id', '=', plan.id)
      .execute();
    assert.equal((await app.request(`${plan.path}/again`)).status, 303);
    const { terms } = await db
      .selectFrom('embed_session')
      .select('terms')
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow();
    assert.deepEqual(terms.payment_method_types, ['card', 'us_bank_account']);
    assert.deepEqual(terms.offered_method_types, ['card', 'link', 'us_bank_account']);
  });
});

test('the form for another donation is that of the ended plan, as long as it accepts donations', async () => {
  const giveAgain = async (isClosed: boolean) => {
    const plan = await startPlan();
    await db
      .updateTable('form')
      .set({ closed_at: isClosed ? new Date() : null })
      .where('id', '=', WEBSITE_FORM_ID)
      .execute();
    // An event about the new subscription that is still on its way undoes the cancellation.
    const id = await eventually(async () => {
      await db
        .updateTable('recurring_plan')
        .set({ form_id: WEBSITE_FORM_ID, status: 'canceled', canceled_at: new Date() })
        .where('id', '=', plan.id)
        .execute();
      const { headers } = await app.request(`${plan.path}/again`);
      return /\/embed\/(\w+)$/.exec(headers.get('location')!)?.[1];
    });
    return await db
      .selectFrom('embed_session')
      .select('form_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  };
  assert.deepEqual(await giveAgain(true), { form_id: null });
  assert.deepEqual(await giveAgain(false), { form_id: WEBSITE_FORM_ID });
});

describe('the page for another payment method says when the money of a debit arrives', async () => {
  const plan = await startPlan({ payment_method_types: ['card', 'us_bank_account'] });
  const hintsIn = async (locale: string) => {
    await db.updateTable('recurring_plan').set({ locale }).where('id', '=', plan.id).execute();
    return JSON.parse(await readData(plan.path, 'hints')) as Record<string, string>;
  };

  test('in the words of the form, for what is offered', async () => {
    assert.deepEqual(await hintsIn('en'), {
      us_bank_account: 'Your bank takes about 4 business days to send your gift.',
    });
  });

  for (const language of LANGUAGES) {
    test(`in ${language}`, async () => {
      const { us_bank_account: hint = '' } = await hintsIn(language);
      const days = (4).toLocaleString(language);
      assert.ok(hint.includes(days), hint);
      assert.equal(hint.includes('business days'), language === 'en');
    });
  }
});
