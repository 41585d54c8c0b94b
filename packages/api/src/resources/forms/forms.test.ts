import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  EmbedSession,
  Form,
  listOf,
  type DonationTermsInput,
  type PaymentIntent,
} from '@connect-embed/contract';
import { eventually, readError, startApi, stripeAt } from '../../../test-support/start-api.ts';
import { archive } from '../catalogue/archive.ts';
import {
  closeForm,
  createForm,
  deleteDraftForm,
  findForm,
  listVersions,
  publishForm,
  reopenForm,
  restoreVersion,
  saveDraft,
} from './edit-form.ts';

const { db, get, post, createKey, sandboxUrl } = await startApi({ sandbox: true });
const { token } = await createKey(['payments:write', 'reference:read']);
const organizationId = 'org_harbor';
const stripe = stripeAt(sandboxUrl);

await db
  .insertInto('person')
  .values({ id: 'person_ana', name: 'Ana Ruiz', email: 'ana@example.org', email_verified: true })
  .execute();

let count = 0;
/** Creates a draft with a unique slug. */
async function createDraft(terms: DonationTermsInput = {}) {
  const slug = `form-${(count += 1)}`;
  const id = await createForm(db, organizationId, { name: 'Spring appeal', slug, terms });
  return { id, slug, ref: { organizationId, id } };
}

async function createPublished(terms: DonationTermsInput = {}) {
  const form = await createDraft(terms);
  await publishForm(db, form.ref, 'person_ana');
  return form;
}

/** Saves a draft with other terms and publishes it. */
async function republish({ ref, slug }: Awaited<ReturnType<typeof createDraft>>, terms: object) {
  const { draft_revision } = await findForm(db, ref);
  await saveDraft(db, ref, { name: 'Spring appeal', slug, terms }, draft_revision);
  await publishForm(db, ref, 'person_ana');
}

const openSession = (body: object) => post('/embed-sessions', token, body);

async function openForm(slug: string) {
  const response = await openSession({ form: slug });
  assert.equal(response.status, 201, await response.clone().text());
  return EmbedSession.parse(await response.json());
}

describe('GET /forms', () => {
  test('lists drafts, live and closed forms, newest first', async () => {
    const closed = await createPublished();
    await closeForm(db, closed.ref);
    const live = await createPublished();
    const draft = await createDraft();
    const response = await get('/forms?limit=3', token);
    const { data } = listOf(Form.strict()).parse(await response.json());
    assert.deepEqual(
      data.map(({ id, status, version }) => [id, status, version]),
      [
        [draft.id, 'draft', null],
        [live.id, 'live', 1],
        [closed.id, 'closed', 1],
      ],
    );
    assert.equal(data[0]!.published_at, null);
    assert.ok(Math.abs(Date.parse(data[1]!.published_at!) - Date.now()) < 60_000);
  });

  test('responds 304 until a form changes', async () => {
    const form = await createPublished();
    const etag = (await get('/forms', token)).headers.get('etag')!;
    const unchanged = await get('/forms', token, { 'if-none-match': etag });
    assert.deepEqual([unchanged.status, await unchanged.text()], [304, '']);
    await republish(form, { min_amount_cents: 700 });
    assert.equal((await get('/forms', token, { 'if-none-match': etag })).status, 200);
  });

  test('returns one form by its id, and none of another organization', async () => {
    const { id, slug } = await createPublished();
    const form = Form.strict().parse(await (await get(`/forms/${id}`, token)).json());
    assert.deepEqual([form.slug, form.status, form.version], [slug, 'live', 1]);
    const other = await createKey(['reference:read'], 'org_lantern');
    assert.match(await readError(await get(`/forms/${id}`, other.token)), /^404 not_found/);
  });
});

describe('POST /embed-sessions with a form', () => {
  test('gets the terms of the published version and not of the draft', async () => {
    const form = await createPublished({ preset_amounts_cents: [1500], fund_id: 'fund_meals' });
    const terms = { preset_amounts_cents: [9900] };
    await saveDraft(db, form.ref, { name: 'Spring appeal', slug: '', terms }, 1);
    const session = await openForm(form.slug);
    assert.deepEqual(session.form!.terms.preset_amounts_cents, [1500]);
    assert.equal(session.form!.fund_name, 'Weekend meals for children');
    assert.deepEqual([session.form!.form_id, session.form!.form_version], [form.id, 1]);
  });

  test('gets the present names of the funds that donors choose from', async () => {
    const { slug } = await createPublished({ fund_choice_ids: ['fund_kitchen'] });
    await db
      .updateTable('fund')
      .set({ name: 'A new kitchen' })
      .where('id', '=', 'fund_kitchen')
      .execute();
    const { form } = await openForm(slug);
    assert.deepEqual(form!.terms.fund_choices, [{ id: 'fund_kitchen', name: 'A new kitchen' }]);
  });

  test('is not found for a draft, for another slug, and for a form of another organization', async () => {
    const draft = await createDraft();
    for (const slug of [draft.slug, 'no-such-form']) {
      const response = await openSession({ form: slug });
      const { error } = (await response.clone().json()) as { error: { code: string } };
      assert.match(await readError(response), /^404 not_found form /);
      assert.equal(error.code, 'form_not_found');
    }
    const published = await createPublished();
    const other = await createKey(['payments:write'], 'org_lantern');
    const response = await post('/embed-sessions', other.token, { form: published.slug });
    assert.match(await readError(response), /^404 not_found form /);
  });

  test('rejects a form together with terms, and a slug that is none', async () => {
    const { slug } = await createPublished();
    const both = await openSession({ form: slug, fund_id: 'fund_meals' });
    assert.match(
      await readError(both),
      /^400 invalid_request fund_id cannot be combined with form/,
    );
    for (const form of ['', 'Spring', 'a b', 'a\u0000', 'x'.repeat(61)]) {
      assert.match(await readError(await openSession({ form })), /^400 invalid_request form /);
    }
  });
});

describe('a donation through a form', () => {
  const donate = (session: EmbedSession) =>
    post('/payment-intents', session.session_token, { amount_cents: 2500 });

  test('is recorded with the form', async () => {
    const form = await createPublished();
    const response = await donate(await openForm(form.slug));
    assert.equal(response.status, 201);
    const { payment_intent_id: id, stripe_account_id: stripeAccount } =
      (await response.json()) as PaymentIntent;
    await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }, { stripeAccount });
    const donation = await eventually(() =>
      db
        .selectFrom('donation')
        .select('form_id')
        .where('processor_payment_intent_id', '=', id)
        .executeTakeFirst(),
    );
    assert.equal(donation.form_id, form.id);
  });

  test('is rejected after the form was closed, also in an open session', async () => {
    const form = await createPublished();
    const session = await openForm(form.slug);
    await closeForm(db, form.ref);
    assert.match(await readError(await donate(session)), /^404 not_found This form is closed/);
    assert.match(
      await readError(await openSession({ form: form.slug })),
      /^404 not_found .*closed/,
    );
    await reopenForm(db, form.ref);
    assert.equal((await donate(session)).status, 201);
  });
});

describe('publishForm', () => {
  test('makes a version for each change, and none without a change', async () => {
    const form = await createPublished();
    await publishForm(db, form.ref, 'person_ana');
    await republish(form, { min_amount_cents: 700 });
    const versions = await listVersions(db, form.ref);
    assert.deepEqual(
      versions.map(({ version, published_by }) => [version, published_by]),
      [
        [2, 'Ana Ruiz'],
        [1, 'Ana Ruiz'],
      ],
    );
    assert.equal((await openForm(form.slug)).form!.terms.min_amount_cents, 700);
  });

  test('rejects a fund that was archived since the draft was saved', async () => {
    await db
      .insertInto('fund')
      .values({
        id: 'fund_old',
        organization_id: organizationId,
        name: 'Old',
        type: 'restricted',
        published: false,
      })
      .execute();
    const draft = await createDraft({ fund_id: 'fund_old' });
    await archive(db, 'fund', { organizationId, id: 'fund_old' });
    await assert.rejects(publishForm(db, draft.ref, 'person_ana'), {
      type: 'invalid_request',
      param: 'fund_id',
    });
    assert.equal((await findForm(db, draft.ref)).status, 'draft');
  });

  test('publishes two concurrent requests as one version', async () => {
    const draft = await createDraft();
    await Promise.all([1, 2, 3].map(() => publishForm(db, draft.ref, 'person_ana')));
    assert.equal((await listVersions(db, draft.ref)).length, 1);
  });
});

describe('saveDraft', () => {
  const input = { name: 'Summer appeal', slug: '', terms: {} };

  test('does not overwrite the change of another member', async () => {
    const { ref } = await createDraft();
    await saveDraft(db, ref, input, 1);
    await assert.rejects(saveDraft(db, ref, { ...input, name: 'Autumn' }, 1), { type: 'conflict' });
    assert.equal((await findForm(db, ref)).name, 'Summer appeal');
  });

  test('changes the slug of a draft, but not of a published form', async () => {
    const { ref } = await createDraft();
    await saveDraft(db, ref, { ...input, slug: 'summer' }, 1);
    await publishForm(db, ref, 'person_ana');
    await assert.rejects(saveDraft(db, ref, { ...input, slug: 'autumn' }, 2), { param: 'slug' });
  });

  test('rejects a slug that another form has', async () => {
    const first = await createDraft();
    const second = await createDraft();
    await assert.rejects(saveDraft(db, second.ref, { ...input, slug: first.slug }, 1), {
      param: 'slug',
    });
  });

  test('rejects terms that contradict each other, and names the field', async () => {
    const { ref } = await createDraft();
    const terms = { min_amount_cents: 900, max_amount_cents: 800 };
    await assert.rejects(saveDraft(db, ref, { ...input, terms }, 1), { param: 'min_amount_cents' });
  });
});

test('restoreVersion makes an earlier version the draft, and leaves the live version', async () => {
  const form = await createPublished({ min_amount_cents: 500 });
  await republish(form, { min_amount_cents: 900 });
  await restoreVersion(db, form.ref, 1);
  const { draft, live_version } = await findForm(db, form.ref);
  assert.deepEqual([draft.terms.min_amount_cents, live_version], [500, 2]);
  await assert.rejects(restoreVersion(db, form.ref, 7), { type: 'not_found' });
});

test('deleteDraftForm deletes a draft, but not a form that was published', async () => {
  const draft = await createDraft();
  await deleteDraftForm(db, draft.ref);
  await assert.rejects(findForm(db, draft.ref), { type: 'not_found' });
  const published = await createPublished();
  await assert.rejects(deleteDraftForm(db, published.ref), { type: 'conflict' });
});
