import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  FormSettings,
  type CampaignProgress,
  type EmbedSession,
  type Form,
  type FormSession,
  type List,
  type PublicForm,
} from '@connect-embed/contract';
import { sql } from 'kysely';
import { SERVER_KEY } from '@connect-embed/api/test-support/app/start-api';
import {
  OWNER,
  startOauth,
  VOLUNTEER,
  type PageResponse,
} from '@connect-embed/api/test-support/app/start-oauth';
import {
  attributesOf,
  definitionsOf,
  readRows,
  textOf,
} from '@connect-embed/api/test-support/browser/read-document';
import { removeExpired } from '@connect-embed/api/process/remove-expired';
import { createPreview } from '@connect-embed/api/resources/forms/form-preview';

const { api, visitor } = await startOauth({
  env: { SERVER_BASE_URL: 'https://giving.example.org', SERVER_API_KEY: SERVER_KEY },
});
await api.addServerKey();
const { token } = await api.createKey();
const FORMS = '/dashboard/org_harbor/forms';

await api.db
  .updateTable('campaign')
  .set({ goal_cents: null })
  .where('id', '=', 'camp_harvest')
  .execute();

const listForms = async () =>
  ((await (await api.get('/forms?limit=100', token)).json()) as List<Form>).data;

async function owner() {
  const person = visitor();
  await person.openAs(OWNER, FORMS);
  return person;
}
type Person = Awaited<ReturnType<typeof owner>>;

/** Creates a form from a template and returns the path of its page. */
async function createForm(person: Person, name: string, template = 'everyday', campaign_id = '') {
  const page = await person.open(`${FORMS}/new`);
  const editor = await person.send(page, FORMS, { name, template, campaign_id });
  assert.equal(editor.status, 200, editor.text);
  return editor.url.pathname.replace(/\/edit$/, '');
}

/** The fields of the form editor, as a browser submits them. */
function fieldsOf({ document }: PageResponse): URLSearchParams {
  const fields = new URLSearchParams();
  for (const field of document.querySelectorAll('#page-form :is(input, textarea, select)')) {
    const isChoice = field.matches('[type="checkbox"], [type="radio"]');
    if (isChoice && !field.hasAttribute('checked')) continue;
    const value = field.matches('textarea')
      ? field.textContent.replace(/^\n/, '')
      : (field.querySelector('[selected]') ?? field).getAttribute('value');
    fields.append(field.getAttribute('name') ?? '', value || (isChoice ? 'on' : ''));
  }
  return fields;
}

/** Opens the editor and submits its fields with some changes. */
async function edit(
  person: Person,
  path: string,
  changes: Record<string, string | string[]>,
  to = '/edit',
) {
  const fields = fieldsOf(await person.open(`${path}/edit`));
  for (const [name, value] of Object.entries(changes)) {
    fields.delete(name);
    for (const item of [value].flat()) fields.append(name, item);
  }
  return await person.post(path + to, fields);
}

async function publish(person: Person, path: string) {
  return await person.send(await person.open(path), `${path}/publish`, {});
}

const openForm = async (slug: string) =>
  (await (await api.post('/embed-sessions', token, { form: slug })).json()) as EmbedSession;

describe('Forms', () => {
  test('lists the forms of a file that donors have used, and names them on the donation', async () => {
    const person = await owner();
    const list = async () => (await person.open(FORMS)).document;
    const inFile = '[aria-label="Forms in a file"]';
    assert.equal((await list()).querySelector(inFile), null);
    const donation = {
      ...{ id: 'don_in_file', organization_id: 'org_harbor', amount_cents: 4200, currency: 'usd' },
      ...{
        source: 'embed' as const,
        form_name: 'Soup kitchen',
        page_origin: 'https://soup.example.org',
      },
      ...{ dedication: 'In memory of Grace', comment: 'Thank you' },
    } as const;
    await api.db.insertInto('donation').values(donation).execute();
    const [row] = readRows((await list()).querySelector(`${inFile} tbody`)!);
    assert.deepEqual(row?.slice(0, 3), ['Soup kitchen', 'In a file', '$42.00']);
    const page = await person.open('/dashboard/org_harbor/donations/don_in_file');
    const facts = Object.fromEntries(definitionsOf(page.document));
    assert.partialDeepStrictEqual(facts, {
      Form: 'Soup kitchen (in a file)',
      Website: 'https://soup.example.org',
      Dedication: 'In memory of Grace',
      Message: 'Thank you',
    });
    const { text } = await person.open('/dashboard/org_harbor/donations/export.csv');
    assert.match(text, /,Soup kitchen,https:\/\/soup\.example\.org,In memory of Grace,Thank you,/);
  });

  test('the list shows what each form has raised', async () => {
    const { text } = await (await owner()).open(FORMS);
    assert.match(text, /Donate on our website[\s\S]*Live[\s\S]*\$[\d,]+\.\d\d/);
    assert.match(text, /A new mobile kitchen[\s\S]*Draft/);
  });

  test('a member sees forms, and cannot change them', async () => {
    const person = visitor();
    const list = await person.openAs(VOLUNTEER, FORMS);
    assert.match(list.text, /Donate on our website/);
    assert.doesNotMatch(list.text, /New form|\$\d/);
    assert.doesNotMatch((await person.open(`${FORMS}/form_website`)).text, /Close form/);
    for (const path of ['/new', '/form_website/edit', '/form_website/close']) {
      assert.equal((await person.open(FORMS + path)).status, 403);
    }
    for (const path of [
      '',
      '/form_website/edit',
      '/form_website/preview',
      '/form_website/publish',
      '/form_website/versions/1/restore',
    ]) {
      assert.equal((await person.post(FORMS + path, {})).status, 403, path);
    }
  });

  test('a form is created from a template, published, and opened by pages', async () => {
    const person = await owner();
    const path = await createForm(person, 'Spring Appeal 2027');
    const draft = (await listForms()).find(({ name }) => name === 'Spring Appeal 2027');
    assert.partialDeepStrictEqual(draft, { slug: 'spring-appeal-2027', status: 'draft' });

    const published = await publish(person, path);
    assert.match(textOf(published.document, '[role="status"]')!, /Published\./);
    const { form } = await openForm('spring-appeal-2027');
    assert.deepEqual(form?.terms.frequencies, ['one_time', 'monthly']);
    assert.deepEqual(form?.terms.preset_amounts_by_frequency, {
      monthly: [1000, 2500, 5000, 10_000],
    });
  });

  test('a form has its own payment methods, until it follows the organization again', async () => {
    const person = await owner();
    const path = await createForm(person, 'Own methods');
    const methodsOf = async (changes: Record<string, string | string[]>) => {
      const saved = await edit(person, path, changes);
      assert.equal(saved.status, 200, saved.text);
      await publish(person, path);
      return (await openForm('own-methods')).form?.terms.payment_method_types;
    };
    const own = { method_mode: 'own' };
    assert.equal(await methodsOf({ name: 'Own methods' }), null);
    assert.deepEqual(await methodsOf({ ...own, payment_method_types: 'paypal' }), [
      'card',
      'paypal',
    ]);
    assert.deepEqual(await methodsOf({ ...own, payment_method_types: [] }), ['card']);
    assert.equal(await methodsOf({ method_mode: 'organization' }), null);
  });

  test('the editor changes the draft, and pages show it after it was published', async () => {
    const person = await owner();
    const path = await createForm(person, 'Editing');
    await publish(person, path);
    const saved = await edit(person, path, {
      frequencies: ['one_time', 'yearly'],
      preset_amounts: ['15', '40', '$1,000'],
      yearly_amounts: ['100', '200.50'],
      default_amount: '40',
      min_amount: '10',
      fund_mode: 'choice',
      fund_choice_ids: ['fund_meals', 'fund_general'],
      fee_cover: 'preselected',
      allow_comment: 'on',
      success_url: 'https://www.example.org/thanks',
    });
    assert.match(saved.text, /Draft saved/);
    assert.match((await person.open(path)).text, /Unpublished changes/);
    assert.equal((await openForm('editing')).form?.form_version, 1);

    await publish(person, path);
    const { form } = await openForm('editing');
    assert.equal(form?.form_version, 2);
    assert.partialDeepStrictEqual(form.terms, {
      frequencies: ['one_time', 'yearly'],
      preset_amounts_cents: [1500, 4000, 100_000],
      preset_amounts_by_frequency: { yearly: [10_000, 20_050] },
      default_amount_cents: 4000,
      min_amount_cents: 1000,
      fund_id: null,
      fee_cover: 'preselected',
      allow_comment: true,
      success_url: 'https://www.example.org/thanks',
    });
    assert.deepEqual(form.terms.fund_choices.map(({ id }) => id).sort(), [
      'fund_general',
      'fund_meals',
    ]);
  });

  test('the form of a campaign shows its goal, until it is switched off or has no campaign', async () => {
    const person = await owner();
    const path = await createForm(person, 'With goal', 'campaign', 'camp_winter');
    const showsGoal = async (changes: Record<string, string | string[]>) => {
      const saved = await edit(person, path, { ...changes, publish: 'on' });
      assert.equal(saved.status, 200, saved.text);
      return (await openForm('with-goal')).form?.terms.show_goal;
    };
    assert.equal(await showsGoal({}), true);
    assert.equal(await showsGoal({ show_goal: [] }), false);
    assert.equal(await showsGoal({ show_goal: 'on' }), true);
    assert.equal(await showsGoal({ show_goal: 'on', campaign_id: '' }), false);
  });

  test('the editor saves the draft before a picture is chosen, and keeps the picture', async () => {
    const person = await owner();
    const path = await createForm(person, 'Illustrated');
    const changes = { page_story: 'Once.\n\nTwice.', choose_picture: 'on' };
    const page = await edit(person, path, changes);
    assert.equal(page.url.pathname, `${path}/picture`);
    const picture = { hash: 'abc', width: 640, height: 480, alt: '' };
    await api.db
      .updateTable('form')
      .set({ draft: sql`jsonb_set(draft, '{page,picture}', ${JSON.stringify(picture)})` })
      .where('slug', '=', 'illustrated')
      .execute();
    await edit(person, path, { name: 'Illustrated again' });
    const { draft } = await api.db
      .selectFrom('form')
      .select('draft')
      .where('slug', '=', 'illustrated')
      .executeTakeFirstOrThrow();
    assert.partialDeepStrictEqual(draft.page, { story: 'Once.\n\nTwice.', picture });
  });

  test('the editor publishes with one button, and publishes nothing that is not valid', async () => {
    const person = await owner();
    const path = await createForm(person, 'One step');
    const rejected = await edit(person, path, { publish: 'on', default_amount: 'much' });
    assert.equal(rejected.status, 400);
    const published = await edit(person, path, {
      publish: 'on',
      default_amount: '70',
      preset_amounts: ['30', '70'],
    });
    assert.match(published.text, /Published\. Pages show this version/);
    assert.doesNotMatch(published.text, /Unpublished changes/);
    const { form } = await openForm('one-step');
    assert.deepEqual([form?.form_version, form?.terms.default_amount_cents], [1, 7000]);
    const again = await edit(person, path, { publish: 'on', default_amount: '30' });
    assert.match(again.text, /Published\. Pages show this version/);
    assert.equal((await openForm('one-step')).form?.form_version, 2);
  });

  test('the editor lists its sections, and says beside its buttons what is saved', async () => {
    const person = await owner();
    const path = await createForm(person, 'Said');
    const bar = async () => {
      const { document } = await person.open(`${path}/edit`);
      const [saved] = document.querySelectorAll('.save-bar p > :not([hidden])');
      const buttons = [...document.querySelectorAll('.save-bar button')];
      return [saved, ...buttons].map((element) => element?.textContent.trim());
    };
    const { document } = await person.open(`${path}/edit`);
    const sections = [...document.querySelectorAll('#page-form section')];
    assert.deepEqual(attributesOf(document, '[aria-label="Sections"] a', 'href'), [
      ...sections.map(({ id }) => `#${id}`),
      '#preview',
    ]);
    // Without script, the page does not know what was typed and says nothing of it.
    assert.ok(document.querySelector('.save-bar [role="status"]')?.hasAttribute('hidden'));
    assert.deepEqual(await bar(), ['Draft saved', 'Save draft', 'Publish']);
    await publish(person, path);
    assert.deepEqual(await bar(), ['Published', 'Save draft', 'Publish']);
    await edit(person, path, { allow_comment: 'on' });
    assert.deepEqual(await bar(), ['Draft saved', 'Save draft', 'Publish']);
    await edit(person, path, { publish: 'on' });
    await person.post(`${path}/close`, {});
    assert.deepEqual(await bar(), ['Closed', 'Save draft', 'Publish and open form']);
  });

  test('a saved draft stays open in the editor, at the section that was edited', async () => {
    const person = await owner();
    const path = await createForm(person, 'Goes on');
    for (const [section, hash] of [
      ['section-amounts', '#section-amounts'],
      ['section-unknown', ''],
      ['', ''],
    ] as const) {
      const { url, document } = await edit(person, path, { allow_comment: 'on', section });
      assert.deepEqual([url.pathname, url.hash], [`${path}/edit`, hash]);
      assert.match(textOf(document, 'main > [role="status"]')!, /^Draft saved\./);
      assert.equal(textOf(document, '.save-bar p > :not([hidden])'), 'Draft saved');
    }
  });

  test('the editor shows what it saved', async () => {
    const person = await owner();
    const path = await createForm(person, 'Unchanged', 'fixed');
    await publish(person, path);
    const saved = await edit(person, path, {});
    assert.match(saved.text, /Draft saved/);
    assert.doesNotMatch((await person.open(path)).text, /Unpublished changes/);
  });

  test('amounts of a frequency that is not offered are kept, and not shown to donors', async () => {
    const person = await owner();
    const path = await createForm(person, 'Once only');
    const changes = {
      frequencies: 'one_time',
      // Below the smallest donation, which matters only when they are offered again.
      monthly_amounts: ['5', '15'],
      monthly_impacts: ['a lunch', ''],
      preset_amounts: '20',
      default_amount: '20',
      min_amount: '8',
    };
    assert.match((await edit(person, path, changes)).text, /Draft saved/);
    await publish(person, path);
    const { form } = await openForm('once-only');
    assert.doesNotMatch(JSON.stringify(form), /monthly|a lunch/);
    const editor = fieldsOf(await person.open(`${path}/edit`));
    assert.deepEqual(editor.getAll('monthly_amounts'), ['5', '15']);
    assert.deepEqual(editor.getAll('monthly_impacts'), ['a lunch', '']);

    const offered = { frequencies: ['one_time', 'monthly'], min_amount: '5' };
    assert.match((await edit(person, path, offered)).text, /Draft saved/);
    await publish(person, path);
    const { terms, presentation } = (await openForm('once-only')).form!;
    assert.deepEqual(terms.preset_amounts_by_frequency, { monthly: [500, 1500] });
    assert.deepEqual(presentation?.impact_texts_by_frequency, { monthly: { 500: 'a lunch' } });
  });

  test('the frequency selected at first and the fixed part of the fee are published', async () => {
    const person = await owner();
    const path = await createForm(person, 'Monthly first');
    const changes = { default_frequency: 'monthly', fee_cover_fixed: '0.25' };
    assert.match((await edit(person, path, changes)).text, /Draft saved/);
    await publish(person, path);
    const { form } = await openForm('monthly-first');
    assert.partialDeepStrictEqual(form?.terms, {
      default_frequency: 'monthly',
      fee_cover_fixed_cents: 25,
    });
    await edit(person, path, {});
    assert.doesNotMatch((await person.open(path)).text, /Unpublished changes/);
  });

  for (const [description, changes, field, message] of [
    ['no frequency', { frequencies: [] }, 'frequencies', 'Select at least one'],
    [
      'amounts that are no numbers',
      { preset_amounts: ['25', 'a lot'] },
      'preset_amounts.1',
      'an amount such as',
    ],
    [
      'amounts below the smallest donation',
      { preset_amounts: ['5', '10'], min_amount: '8' },
      'preset_amounts.0',
      'Must be between $8',
    ],
    [
      'monthly amounts below the smallest donation',
      { monthly_amounts: '5', min_amount: '8' },
      'monthly_amounts.0',
      'Must be between $8',
    ],
    [
      'a smallest above the largest donation',
      { min_amount: '90', max_amount: '80' },
      'min_amount',
      'not be greater',
    ],
    [
      'a selected amount that is too small',
      { default_amount: '1', min_amount: '8', preset_amounts: '20', monthly_amounts: '20' },
      'default_amount',
      'Must be between $8',
    ],
    [
      'only fixed amounts without amounts',
      { amount_locked: 'on', preset_amounts: '' },
      'preset_amounts',
      'that donors can choose',
    ],
    ['a smallest donation below that of Stripe', { min_amount: '0.10' }, 'min_amount', '$0.50'],
    [
      'an amount twice',
      { preset_amounts: ['25', '50', '25.00'] },
      'preset_amounts.2',
      'already in the list',
    ],
    [
      'a text without an amount',
      { preset_amounts: ['25', ''], preset_impacts: ['', 'a week of lunches'] },
      'preset_amounts.1',
      'the amount of this text',
    ],
    [
      'a text that is too long',
      { preset_amounts: '25', preset_impacts: 'x'.repeat(101) },
      'preset_impacts.0',
      'at most 100',
    ],
    ['an amount of zero', { preset_amounts: ['25', '0'] }, 'preset_amounts.1', 'between $0.50'],
    ['a button that nobody can see', { button: '\u200b' }, 'button', 'can be seen'],
    ['a title that nobody can see', { page_title: '\u2800\u3164' }, 'page_title', 'can be seen'],
    ['a color that is none', { accent_color: 'bluish' }, 'accent_color', 'such as #0b6b5b'],
    [
      'a color on which the label is hard to read',
      { accent_color: '#e4572e' },
      'accent_color',
      'the contrast is 3.6:1, and 4.5:1 is required',
    ],
    [
      'a color of the dark theme on which the label is hard to read',
      { accent_color_dark: '#777' },
      'accent_color_dark',
      '4.5:1 is required',
    ],
    [
      'a text color that is hard to read on the background',
      { background_color: '#fff8ee', text_color: '#888' },
      'text_color',
      'Text would be hard to read: the contrast is 3.3:1',
    ],
    [
      'a background on which the form’s own accent color is hard to read',
      { background_color_dark: '#4a5a6a' },
      'background_color_dark',
      'Selected amounts and links would be hard to read',
    ],
    [
      'a text color of which hints are hard to read',
      { text_color: '#666' },
      'text_color',
      'Hints, which are fainter than other text, would be hard to read',
    ],
    [
      'a background on which errors are hard to read',
      { background_color: '#1c2328', text_color: '#fff', accent_color: '#6ad6bd' },
      'background_color',
      'Error messages would be hard to read',
    ],
    [
      'too many amounts',
      { preset_amounts: '1 2 3 4 5 6 7 8 9 10 11 12 13'.split(' ') },
      'preset_amounts',
      'at most 12',
    ],
    [
      'a frequency selected at first that is not offered',
      { frequencies: 'one_time', default_frequency: 'monthly' },
      'default_frequency',
      'that donors can choose from',
    ],
    [
      'a fixed part of the fee that is too large',
      { fee_cover_fixed: '11' },
      'fee_cover_fixed',
      '$10',
    ],
    ['a placeholder in a text', { heading: 'Help {name} now' }, 'heading', 'must not contain {'],
    ['the reserved name', { slug: 'default' }, 'slug', 'reserved'],
    ['no fund', { fund_mode: 'fixed', fund_id: '' }, 'fund_id', 'Select a fund'],
    [
      'a fund of another organization',
      { fund_mode: 'fixed', fund_id: 'fund_lantern' },
      'fund_id',
      'must be a fund',
    ],
    [
      'the goal of a campaign without one',
      { campaign_id: 'camp_harvest', show_goal: 'on' },
      'show_goal',
      'This campaign has no goal',
    ],
    [
      'a thank-you page without TLS',
      { success_url: 'http://example.org' },
      'success_url',
      'https://',
    ],
    ['a name in pages with spaces', { slug: 'My form' }, 'slug', 'lower-case'],
    ['a name in pages that is taken', { slug: 'website' }, 'slug', 'taken'],
  ] as const) {
    test(`the editor rejects ${description} at its field, and keeps what was entered`, async () => {
      const person = await owner();
      const path = await createForm(person, `Rejected ${description}`.slice(0, 60));
      const page = await edit(person, path, {
        ...(changes as Record<string, string>),
        name: 'Kept',
      });
      assert.equal(page.status, 400);
      const problem = textOf(page.document, `[id="${field}-problem"]`) ?? '';
      assert.ok(problem.toLowerCase().includes(message.toLowerCase()), problem);
      const link = textOf(page.document, `[role="alert"] a[href="#${field}"]`) ?? '';
      assert.ok(link.endsWith(`: ${problem}`), link);
      const section = page.document.querySelector(`[id="${field}"]`)?.closest('section')?.id;
      const entry = textOf(page.document, `[aria-label="Sections"] [href="#${section}"]`) ?? '';
      assert.match(entry, / \d errors?$/);
      assert.equal(textOf(page.document, '.save-bar p:not([hidden])'), 'Unsaved changes');
      assert.ok(page.document.querySelector('[name="name"][value="Kept"]'));
    });
  }

  test('texts, display and appearance are published, and restored with an earlier version', async () => {
    const person = await owner();
    const path = await createForm(person, 'Presented');
    await publish(person, path);
    const saved = await edit(person, path, {
      preset_amounts: ['25', '50'],
      preset_impacts: ['a week of school lunches', ''],
      monthly_amounts: ['10'],
      monthly_impacts: ['a lunch every week'],
      heading: 'Feed a family',
      intro: 'Every dollar\tcounts.',
      button: 'Donate now',
      thank_you: 'Thank you!\nYou are wonderful.',
      display: 'sticky',
      accent_color: 'C2410C',
      background_color: '#fff8ee',
      text_color_dark: '#fff',
      corners: 'round',
      font: 'serif',
      theme: 'auto',
    });
    assert.match(saved.text, /Draft saved/);
    assert.equal((await openForm('presented')).form?.presentation, undefined);

    const published = await publish(person, path);
    assert.match(
      published.text,
      /&lt;connect-donate form=&quot;presented&quot; display=&quot;sticky/,
    );
    const session = await openForm('presented');
    const { style, ...presentation } = session.form!.presentation!;
    assert.match(style, /primary:light-dark\(#c2410c,#\w{6}\);.*radius:20px;.*family:Charter,/);
    assert.match(style, /background:light-dark\(#fff8ee,#171b1f\);/);
    assert.match(style, /text:light-dark\(#1c2328,#ffffff\);/);
    assert.deepEqual(presentation, {
      properties: { display: 'sticky', theme: 'auto' },
      messages: {
        title: 'Feed a family',
        intro: 'Every dollar\tcounts.',
        giveAny: 'Donate now',
        thanksNote: 'Thank you!\nYou are wonderful.',
      },
      accent_color: '#c2410c',
      impact_texts: { 2500: 'a week of school lunches' },
      impact_texts_by_frequency: { monthly: { 1000: 'a lunch every week' } },
    });
    const current = await api.get('/embed-sessions/current', session.session_token);
    assert.deepEqual(await current.json(), session.form);

    // The editor shows what was saved.
    await edit(person, path, {});
    assert.doesNotMatch((await person.open(path)).text, /Unpublished changes/);
    await person.post(`${path}/versions/1/restore`, {});
    await publish(person, path);
    assert.equal((await openForm('presented')).form?.presentation, undefined);
  });

  test('a renamed fund is no change of the form', async () => {
    const person = await owner();
    const path = await createForm(person, 'Renamed');
    await edit(person, path, { fund_mode: 'choice', fund_choice_ids: ['fund_meals'] });
    await publish(person, path);
    const rename = (name: string) =>
      api.db.updateTable('fund').set({ name }).where('id', '=', 'fund_meals').execute();
    const { name } = await api.db
      .selectFrom('fund')
      .select('name')
      .where('id', '=', 'fund_meals')
      .executeTakeFirstOrThrow();
    await rename('Hot meals');
    const saved = await edit(person, path, {});
    const { text } = await person.open(path);
    await rename(name);
    assert.match(saved.text, /Draft saved/);
    assert.doesNotMatch(text, /Unpublished changes/);
    await person.post(`${path}/publish`, { draft_revision: '3' });
    assert.equal((await openForm('renamed')).form?.form_version, 1);
  });

  test('rows of amounts are added and removed without JavaScript, and nothing is saved', async () => {
    const person = await owner();
    const path = await createForm(person, 'Rows');
    const changes = {
      name: 'Not saved',
      preset_amounts: ['25', '50', '100'],
      preset_impacts: ['one', 'two', 'three'],
    };
    const rowsOf = ({ document }: PageResponse) =>
      attributesOf(document, '[name="preset_amounts"], [name="preset_impacts"]', 'value');
    const added = await edit(person, path, { ...changes, add_row: 'preset_amounts' });
    assert.equal(added.status, 200);
    assert.deepEqual(rowsOf(added), ['25', 'one', '50', 'two', '100', 'three', '', '']);
    assert.ok(added.document.querySelector('[value="Not saved"]'));
    const removed = await edit(person, path, { ...changes, remove_row: 'preset_amounts.1' });
    assert.deepEqual(rowsOf(removed), ['25', 'one', '100', 'three']);
    for (const remove_row of ['preset_amounts.99', 'nothing.1', 'preset_amounts']) {
      assert.equal((await edit(person, path, { ...changes, name: 'x', remove_row })).status, 200);
    }
  });

  test('the editor does not overwrite the change of another member', async () => {
    const [first, second] = [await owner(), await owner()];
    const path = await createForm(first, 'Shared');
    const stale = fieldsOf(await second.open(`${path}/edit`));
    await edit(first, path, { name: 'Changed first' });
    stale.set('name', 'Changed second');
    const rejected = await second.post(`${path}/edit`, stale);
    assert.equal(rejected.status, 400);
    assert.match(rejected.text, /Another member has changed this form/);
    assert.ok(rejected.document.querySelector('[value="Changed second"]'));
  });

  test('an earlier version is viewed and restored', async () => {
    const person = await owner();
    const path = await createForm(person, 'Versions');
    await publish(person, path);
    await edit(person, path, {
      min_amount: '30',
      preset_amounts: '30',
      monthly_amounts: '30',
      default_amount: '30',
    });
    await publish(person, path);
    const version = await person.open(`${path}/versions/1`);
    assert.match(version.text, /Versions, version 1/);
    await person.send(version, `${path}/versions/1/restore`, {});
    // The draft now has changes that are not published, so that it is not replaced without a question.
    assert.match(
      (await person.open(`${path}/versions/2`)).text,
      /href="[^"]*\/versions\/2\/restore"/,
    );
    assert.match((await person.open(`${path}/versions/2/restore`)).text, /They will be lost/);
    await publish(person, path);
    const { form } = await openForm('versions');
    assert.deepEqual([form?.form_version, form?.terms.preset_amounts_cents[0]], [3, 2500]);
    for (const path404 of [`${path}/versions/9`, `${path}/versions/x`]) {
      assert.equal((await person.open(path404)).status, 404);
    }
  });

  test('a form is closed after a confirmation, and opened again', async () => {
    const person = await owner();
    const path = await createForm(person, 'Closing');
    await publish(person, path);
    const confirmation = await person.open(`${path}/close`);
    assert.match(confirmation.text, /accept no more donations/);
    await person.post(`${path}/close`, {});
    assert.equal((await listForms()).find(({ slug }) => slug === 'closing')?.status, 'closed');
    const closed = await person.open(path);
    assert.match(closed.text, /Open form again/);
    assert.doesNotMatch(closed.text, /Publish (?:form|changes)/);
    await person.post(`${path}/open`, {});
    assert.equal((await listForms()).find(({ slug }) => slug === 'closing')?.status, 'live');
  });

  test('only a draft can be deleted', async () => {
    const person = await owner();
    const draft = await createForm(person, 'Not needed');
    assert.match((await person.post(`${draft}/delete`, {})).text, /Draft deleted/);
    const live = await createForm(person, 'Needed');
    await publish(person, live);
    assert.match(
      (await person.post(`${live}/delete`, {})).text,
      /role="alert"[\s\S]*Close it instead/,
    );
  });

  test('the page of a form has its code and the link of its page', async () => {
    const person = await owner();
    const page = await person.open(`${FORMS}/form_website`);
    assert.ok(page.text.includes('src=&quot;https://giving.example.org/connect.js&quot;'));
    assert.ok(page.text.includes('&lt;connect-donate form=&quot;website&quot;&gt;'));
    assert.ok(page.text.includes('https://giving.example.org/give/website'));
  });

  test("another organization's form does not exist", async () => {
    const person = await owner();
    const path = await createForm(person, 'Ours');
    const other = path.replace('org_harbor', 'org_lantern');
    assert.equal((await person.open(other)).status, 404);
    assert.equal((await person.post(`${other}/publish`, {})).status, 404);
  });
});

describe('Preview of a form', () => {
  const sessionOf = (path: string, headers = {}) =>
    fetch(`${api.url}${path}/embed-sessions`, {
      method: 'POST',
      headers: { origin: api.url, ...headers },
    });

  test('shows the unsaved settings, in the chosen language and theme', async () => {
    const person = await owner();
    const path = await createForm(person, 'Previewed');
    const changes = { preset_amounts: ['77', '88'], preview_language: 'de', preview_theme: 'dark' };
    const page = await edit(person, path, changes, '/preview');
    assert.match(page.url.pathname, /^\/form-preview\//);
    assert.equal(page.document.documentElement.lang, 'de');
    assert.ok(page.document.querySelector('meta[name="color-scheme"][content="dark"]'));
    assert.match(
      page.headers.get('content-security-policy')!,
      new RegExp(`frame-ancestors ${api.url}$`),
    );
    const drawn = await fetch(`${api.url}${page.url.pathname}/embed-form`);
    const opened = await sessionOf(page.url.pathname);
    for (const form of [
      (await drawn.json()) as PublicForm,
      ((await opened.json()) as FormSession).form,
    ])
      assert.deepEqual(form.terms.preset_amounts_cents, [7700, 8800]);
    const { draft } = await api.db
      .selectFrom('form')
      .select('draft')
      .where('name', '=', 'Previewed')
      .executeTakeFirstOrThrow();
    assert.equal(draft.terms.preset_amounts_cents[0], 2500);
  });

  test('shows the goal of the campaign before the form is published', async () => {
    const person = await owner();
    const path = await createForm(person, 'Goal in preview');
    const changes = { campaign_id: 'camp_winter', show_goal: 'on' };
    const { url } = await edit(person, path, changes, '/preview');
    const preview = `${api.url}${url.pathname}`;
    const form = (await (await fetch(`${preview}/embed-form`)).json()) as PublicForm;
    assert.equal(form.terms.show_goal, true);
    const progress = await fetch(`${preview}/campaigns/camp_winter/progress`);
    assert.equal(((await progress.json()) as CampaignProgress).name, form.campaign_name);
  });

  test('tells the script of the page the contrasts of the colors', async () => {
    const person = await owner();
    const path = await createForm(person, 'Contrasts');
    const preview = async (accent_color: string) => {
      const fields = fieldsOf(await person.open(`${path}/edit`));
      fields.set('accent_color', accent_color);
      const response = await person.post(`${path}/preview`, fields, { accept: 'application/json' });
      return JSON.parse(response.text) as {
        path: string | null;
        notes: Record<string, { text: string; isProblem: boolean }>;
      };
    };
    const readable = await preview('#c2410c');
    assert.match(readable.path!, /^\/form-preview\//);
    assert.match(
      readable.notes['accent_color']!.text,
      /Easy to read.*texts 5\.\d:1, of buttons and fields 5\.1:1/,
    );
    const faint = await preview('#ffd400');
    assert.match(faint.notes['accent_color']!.text, /stand out little.*1\.4:1.*3:1/);
    const unreadable = await preview('#e4572e');
    assert.equal(unreadable.path, null);
    assert.ok(unreadable.notes['accent_color']!.isProblem);
    assert.match(unreadable.notes['accent_color']!.text, /3\.6:1, and 4\.5:1 is required.*#\w{6}/);
    assert.equal((await preview('no color')).path, null);
  });

  test('makes no donation', async () => {
    const person = await owner();
    const path = await createForm(person, 'No donation');
    const { url } = await edit(person, path, {}, '/preview');
    const response = await fetch(`${api.url}${url.pathname}/payment-intents`, {
      method: 'POST',
      headers: {
        origin: api.url,
        authorization: 'Bearer preview',
        'content-type': 'application/json',
      },
      body: '{"amount_cents":2500}',
    });
    assert.equal(response.status, 403);
    assert.match(await response.text(), /This is a preview\. No donation was made\./);
  });

  test('responds 400 to settings that are not valid, and says so', async () => {
    const person = await owner();
    const path = await createForm(person, 'Invalid preview');
    for (const changes of [{ preset_amounts: 'x' }, { min_amount: '9', max_amount: '8' }]) {
      const page = await edit(person, path, changes, '/preview');
      assert.equal(page.status, 400);
      assert.match(page.text, /Some settings are not valid/);
    }
  });

  test('shows the form itself, or what pages show', async () => {
    const person = await owner();
    const path = await createForm(person, 'Displayed');
    const show = (display: string, preview_display: string) =>
      edit(person, path, { display, preview_display }, '/preview');
    const form = await show('sticky', 'inline');
    assert.ok(form.document.querySelector('connect-donate[display="inline"]'));
    const button = await show('sticky', 'page');
    assert.ok(button.document.querySelector('connect-donate[display="sticky"]'));
    const link = await show('modal', 'page');
    assert.equal(textOf(link.document, 'a[href="#donate"]:has(+ connect-donate#donate)'), 'Donate');
  });

  test('shows texts of the greatest length', async () => {
    const person = await owner();
    const path = await createForm(person, 'Long texts');
    const amounts = Array.from({ length: 12 }, (_, index) => String(index + 1));
    const impacts = amounts.map(() => '本'.repeat(100));
    const lists = ['preset', 'monthly', 'quarterly', 'yearly'];
    const page = await edit(
      person,
      path,
      {
        frequencies: ['one_time', 'monthly', 'quarterly', 'yearly'],
        ...Object.fromEntries(lists.map((list) => [`${list}_amounts`, amounts])),
        ...Object.fromEntries(lists.map((list) => [`${list}_impacts`, impacts])),
        thank_you: '本'.repeat(1000),
      },
      '/preview',
    );
    assert.equal(page.status, 200);
    assert.ok(page.url.pathname.length < 100);
    const { form } = (await (await sessionOf(page.url.pathname)).json()) as FormSession;
    assert.equal(form.presentation?.impact_texts['1200'], impacts[0]);
  });

  test('expires after an hour and is then deleted', async () => {
    const person = await owner();
    const path = await createForm(person, 'Expiring');
    const { url } = await edit(person, path, {}, '/preview');
    const id = url.pathname.split('/').at(-1)!;
    const rows = api.db.selectFrom('form_preview').select('id').where('id', '=', id);
    await removeExpired(api.db);
    assert.equal((await rows.execute()).length, 1);
    await api.db
      .updateTable('form_preview')
      .set({ created_at: sql<Date>`now() - interval '61 minutes'` })
      .where('id', '=', id)
      .execute();
    assert.equal((await person.open(url.pathname)).status, 410);
    assert.equal((await sessionOf(url.pathname)).status, 404);
    await removeExpired(api.db);
    assert.deepEqual(await rows.execute(), []);
  });

  test('of each organization only the 100 newest are kept', async () => {
    const person = await owner();
    const path = await createForm(person, 'Often changed');
    const first = await edit(person, path, {}, '/preview');
    const { organization_id, settings } = await api.db
      .selectFrom('form_preview')
      .selectAll()
      .where('id', '=', first.url.pathname.split('/').at(-1)!)
      .executeTakeFirstOrThrow();
    const preview = { settings: FormSettings.parse(settings), language: 'en' } as const;
    for (let count = 0; count < 100; count++)
      await createPreview(api.db, organization_id, { ...preview, theme: 'dark' });
    const rows = api.db.selectFrom('form_preview').select('theme');
    const { length } = await rows.where('organization_id', '=', organization_id).execute();
    assert.equal(length, 100);
    assert.equal((await person.open(first.url.pathname)).status, 410);
  });

  test('cannot be made up, and is not available to other sites', async () => {
    const person = await owner();
    const path = await createForm(person, 'Private preview');
    const { url } = await edit(person, path, {}, '/preview');
    assert.equal(
      (await sessionOf(url.pathname, { origin: 'https://elsewhere.example' })).status,
      403,
    );
    assert.equal((await sessionOf(`${url.pathname.slice(0, -3)}abc`)).status, 404);
    assert.equal((await person.open('/form-preview/abc')).status, 410);
  });
});
