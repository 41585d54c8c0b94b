import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  DEFAULT_FORM_PAGE,
  EmbedSession,
  Form,
  listOf,
  type DonationTermsInput,
  type PaymentIntent,
} from '@connect-embed/contract';
import { eventually, readError, startApi, stripeAt } from '../../../test-support/app/start-api.ts';
import { archive, deleteUnused } from '../catalogue/archive.ts';
import { createForm, deleteDraftForm, findDraft, saveDraft } from './edit-form.ts';
import { listVersions, restoreVersion } from './form-versions.ts';
import { closeForm, publishForm, reopenForm, saveAndPublish } from './publish-form.ts';

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
  const slug = `draft-${(count += 1)}`;
  const id = await createForm(db, organizationId, { name: 'Spring appeal', slug, terms });
  return { id, slug, ref: { organizationId, id } };
}

/** Publishes the draft of a form as it is. */
async function publish(ref: { organizationId: string; id: string }) {
  const { draft_revision: revision } = await findDraft(db, ref);
  await publishForm(db, ref, { revision, personId: 'person_ana' });
}

async function createPublished(terms: DonationTermsInput = {}) {
  const form = await createDraft(terms);
  await publish(form.ref);
  return form;
}

/** Saves a draft with other terms and publishes it. */
async function republish({ ref, slug }: Awaited<ReturnType<typeof createDraft>>, terms: object) {
  const { draft_revision } = await findDraft(db, ref);
  await saveDraft(db, ref, { name: 'Spring appeal', slug, terms }, draft_revision);
  await publish(ref);
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

  test('returns the settings of the giving page as they are published', async () => {
    const { ref, id, slug } = await createPublished();
    const pageIn = async () => Form.parse(await (await get(`/forms/${id}`, token)).json()).page;
    assert.deepEqual(await pageIn(), DEFAULT_FORM_PAGE);
    const page = { ...DEFAULT_FORM_PAGE, title: 'A warm meal', is_indexable: true };
    await saveDraft(db, ref, { name: 'Spring appeal', slug, terms: {}, page }, 1);
    assert.deepEqual(await pageIn(), DEFAULT_FORM_PAGE);
    await publish(ref);
    assert.deepEqual(await pageIn(), page);
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

  test('gets an earlier version that the caller names', async () => {
    const form = await createPublished({ min_amount_cents: 600 });
    await republish(form, { min_amount_cents: 800 });
    const response = await openSession({ form: form.slug, form_version: 1 });
    const session = EmbedSession.parse(await response.json());
    assert.equal(session.form!.terms.min_amount_cents, 600);
    const unknown = await openSession({ form: form.slug, form_version: 3 });
    assert.match(await readError(unknown), /^404 not_found form /);
    const alone = await openSession({ form_version: 1 });
    assert.match(await readError(alone), /^400 invalid_request form_version requires form/);
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
    await stripe.paymentIntents.confirm(
      id,
      { payment_method: 'pm_card_visa' },
      { stripeAccount: stripeAccount! },
    );
    const donation = await eventually(() =>
      db
        .selectFrom('donation')
        .select('form_id')
        .where('processor_payment_intent_id', '=', id)
        .executeTakeFirst(),
    );
    assert.equal(donation.form_id, form.id);
  });

  test('is recorded with the form also if it recurs', async () => {
    const form = await createPublished({ frequencies: ['monthly'] });
    const { session_token } = await openForm(form.slug);
    const donation = {
      amount_cents: 2500,
      frequency: 'monthly',
      donor_name: 'Ana Ruiz',
      donor_email: 'ana@example.org',
    };
    const response = await post('/payment-intents', session_token, donation);
    assert.equal(response.status, 201, await response.clone().text());
    const { payment_intent_id: id, stripe_account_id: stripeAccount } =
      (await response.json()) as PaymentIntent;
    await stripe.paymentIntents.confirm(
      id,
      { payment_method: 'pm_card_visa' },
      { stripeAccount: stripeAccount! },
    );
    const plan = await db
      .selectFrom('recurring_plan')
      .selectAll()
      .where('form_id', '=', form.id)
      .executeTakeFirst();
    assert.ok(plan);
    const recorded = await eventually(() =>
      db.selectFrom('donation').select('form_id').where('plan_id', '=', plan.id).executeTakeFirst(),
    );
    assert.equal(recorded.form_id, form.id);
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
    await publish(form.ref);
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
    await assert.rejects(publish(draft.ref), { type: 'conflict', message: /has been archived/ });
    assert.equal((await findDraft(db, draft.ref)).status, 'draft');
  });

  test('publishes two concurrent requests as one version', async () => {
    const draft = await createDraft();
    await Promise.all([1, 2, 3].map(() => publish(draft.ref)));
    assert.equal((await listVersions(db, draft.ref)).length, 1);
  });
});

test('publishForm does not publish a draft that the member has not seen', async () => {
  const { ref } = await createDraft();
  await saveDraft(db, ref, { name: 'Other', slug: '', terms: { min_amount_cents: 700 } }, 1);
  const stale = { revision: 1, personId: 'person_ana' };
  await assert.rejects(publishForm(db, ref, stale), { type: 'conflict' });
});

test('saveAndPublish does not save a draft that it cannot publish', async () => {
  const { ref } = await createDraft();
  const input = { name: 'Other', slug: '', terms: {} };
  const save = (personId: string) => saveAndPublish(db, ref, input, { revision: 1, personId });
  await assert.rejects(save('person_nobody'), /published_by/);
  const { name, draft_revision, status } = await findDraft(db, ref);
  assert.deepEqual([name, draft_revision, status], ['Spring appeal', 1, 'draft']);

  await Promise.all([save('person_ana'), save('person_ana')]); // For example a double click.
  const published = await findDraft(db, ref);
  assert.deepEqual(
    [published.name, published.draft_revision, published.status],
    ['Other', 2, 'live'],
  );
  assert.equal((await listVersions(db, ref)).length, 1);
});

test('createForm derives a free slug from the name', async () => {
  const slugs = [];
  for (const name of ['Same name', 'Same name', '春', '夏', 'Default']) {
    const id = await createForm(db, organizationId, { name, slug: '', terms: {} });
    slugs.push((await findDraft(db, { organizationId, id })).slug);
  }
  assert.deepEqual(slugs, ['same-name', 'same-name-2', 'form', 'form-2', 'default-2']);
});

test('a fund of a live form is not archived, and one of its choices is', async () => {
  const fund = (id: string) => ({
    id,
    organization_id: organizationId,
    name: id,
    type: 'restricted' as const,
    published: true,
  });
  await db.insertInto('fund').values(['fund_fixed', 'fund_choice'].map(fund)).execute();
  const fixed = await createPublished({ fund_id: 'fund_fixed' });
  const ref = { organizationId, id: 'fund_fixed' };
  for (const change of [archive, deleteUnused]) {
    await assert.rejects(change(db, 'fund', ref), { type: 'conflict', message: /Spring appeal/ });
  }
  await closeForm(db, fixed.ref);
  await archive(db, 'fund', ref);

  const { slug } = await createPublished({ fund_choice_ids: ['fund_choice', 'fund_meals'] });
  await archive(db, 'fund', { organizationId, id: 'fund_choice' });
  const { form } = await openForm(slug);
  assert.deepEqual(
    form!.terms.fund_choices.map(({ id }) => id),
    ['fund_meals'],
  );
});

describe('saveDraft', () => {
  const input = { name: 'Summer appeal', slug: '', terms: {} };

  test('does not overwrite the change of another member', async () => {
    const { ref } = await createDraft();
    await saveDraft(db, ref, input, 1);
    await assert.rejects(saveDraft(db, ref, { ...input, name: 'Autumn' }, 1), { type: 'conflict' });
    assert.equal((await findDraft(db, ref)).name, 'Summer appeal');
  });

  test('changes the slug of a draft, but not of a published form', async () => {
    const { ref } = await createDraft();
    await saveDraft(db, ref, { ...input, slug: 'summer' }, 1);
    await publish(ref);
    await assert.rejects(saveDraft(db, ref, { ...input, slug: 'autumn' }, 2), { param: 'slug' });
  });

  test('rejects a slug that another form has', async () => {
    const first = await createDraft();
    const second = await createDraft();
    await assert.rejects(saveDraft(db, second.ref, { ...input, slug: first.slug }, 1), {
      param: 'slug',
    });
  });

  for (const [field, terms] of [
    ['min_amount_cents', { min_amount_cents: 900, max_amount_cents: 800 }],
    ['min_amount_cents', { min_amount_cents: 10 }],
    ['max_amount_cents', { max_amount_cents: 9_999_999_999 }],
    ['success_url', { success_url: 'https://example.org/thank you' }],
  ] as const) {
    test(`rejects ${JSON.stringify(terms)}, and names ${field}`, async () => {
      const { ref } = await createDraft();
      await assert.rejects(saveDraft(db, ref, { ...input, terms }, 1), { param: field });
    });
  }

  test('succeeds for a second time with the same content, as after a double click', async () => {
    const { ref } = await createDraft();
    const save = () => saveDraft(db, ref, { ...input, slug: 'double-click' }, 1);
    await Promise.all([save(), save()]);
    assert.equal((await findDraft(db, ref)).draft_revision, 2);
  });

  test('does not change the slug of a form that is published at the same moment', async () => {
    const { ref, slug } = await createDraft();
    const saving = saveDraft(db, ref, { ...input, slug: `${slug}-new` }, 1).catch(() => {});
    await Promise.all([publish(ref).catch(() => {}), saving]);
    const row = await findDraft(db, ref);
    const isPublishedWithNewSlug = row.live_version !== null && row.slug !== slug;
    // The publication comes after the save, or the save is rejected.
    assert.ok(!isPublishedWithNewSlug || row.draft_revision === 2);
  });
});

test('restoreVersion makes an earlier version the draft, and leaves the live version', async () => {
  const form = await createPublished({ min_amount_cents: 500 });
  await republish(form, { min_amount_cents: 900 });
  await restoreVersion(db, form.ref, 1);
  const { draft, live_version } = await findDraft(db, form.ref);
  assert.deepEqual([draft.terms.min_amount_cents, live_version], [500, 2]);
  await assert.rejects(restoreVersion(db, form.ref, 7), { type: 'not_found' });
});

test('deleteDraftForm deletes a draft, but not a form that was published', async () => {
  const draft = await createDraft();
  await deleteDraftForm(db, draft.ref);
  await assert.rejects(findDraft(db, draft.ref), { type: 'not_found' });
  const published = await createPublished();
  await assert.rejects(deleteDraftForm(db, published.ref), { type: 'conflict' });
});
