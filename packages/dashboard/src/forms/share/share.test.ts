import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { setMembership } from '@connect-embed/api/users/membership';
import { createForm, findDraft } from '@connect-embed/api/resources/forms/edit-form';
import { publishForm } from '@connect-embed/api/resources/forms/publish-form';
import { SERVER_KEY } from '@connect-embed/api/test-support/app/start-api';
import { OWNER, startOauth, VOLUNTEER } from '@connect-embed/api/test-support/app/start-oauth';
import { inlineCodeIn, textOf } from '@connect-embed/api/test-support/browser/read-document';

const { api, visitor } = await startOauth({
  env: { SERVER_BASE_URL: 'https://giving.example.org', SERVER_API_KEY: SERVER_KEY },
});
await api.addServerKey();
const organizationId = 'org_harbor';
const FORMS = `/dashboard/${organizationId}/forms`;
const HOSTILE = '"><script>alert(1)</script>';

const { id: personId } = await api.db
  .selectFrom('person')
  .select('id')
  .where('email', '=', OWNER)
  .executeTakeFirstOrThrow();

async function publish(
  slug: string,
  terms: object,
  { title = null, of = organizationId }: { title?: string | null; of?: string } = {},
) {
  const page = { title, description: null, is_indexable: false, is_listed: false };
  const id = await createForm(api.db, of, { name: slug, slug, terms, page });
  const ref = { organizationId: of, id };
  const { draft_revision: revision } = await findDraft(api.db, ref);
  await publishForm(api.db, ref, { revision, personId });
  return `/dashboard/${of}/forms/${id}`;
}

const spring = await publish(
  'spring',
  {
    frequencies: ['one_time', 'monthly'],
    min_amount_cents: 500,
    fund_choice_ids: ['fund_meals', 'fund_kitchen'],
  },
  { title: HOSTILE },
);
const gala = await publish('gala', { amount_locked: true, preset_amounts_cents: [15_000] });

const owner = visitor();
await owner.openAs(OWNER, FORMS);
const open = (path: string) => owner.open(path);

/** The parser leaves character references in a text area as they are. */
const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

describe('the share page', () => {
  test('has the link, the codes for websites, and links to networks', async () => {
    const { text, document } = await open(`${gala}/share`);
    assert.equal(textOf(document, 'textarea#link'), 'https://giving.example.org/give/gala');
    assert.ok(text.includes('src=&quot;https://giving.example.org/connect.js&quot;'));
    assert.ok(text.includes('src=&quot;https://giving.example.org/embed/gala&quot;'));
    const address = encodeURIComponent('https://giving.example.org/give/gala');
    assert.ok(text.includes(`https://www.facebook.com/sharer/sharer.php?u=${address}`));
    assert.ok(text.includes('mailto:?subject=Give%20to%20Harbor%20Street'));
  });

  test('has the code for the goal of a campaign, as its page has once a form belongs to it', async () => {
    const campaign = `/dashboard/${organizationId}/campaigns/camp_harvest`;
    const before = await open(campaign);
    assert.match(before.text, /once a published form belongs to this campaign/);
    const harvest = await publish('harvest', { campaign_id: 'camp_harvest' });
    const code =
      '<script type="module" src="https://giving.example.org/connect.js"></script> <connect-goal campaign="camp_harvest"></connect-goal>';
    for (const path of [campaign, `${harvest}/share`]) {
      const { document } = await open(path);
      assert.equal(unescaped(textOf(document, '#goal-code')!), code, path);
    }
    assert.equal(textOf((await open(`${gala}/share`)).document, '#goal-code'), undefined);
  });

  test('builds a link from what the form offers', async () => {
    const query = 'amount=12.50&frequency=monthly&fund=fund_kitchen';
    const { document } = await open(`${spring}/share?${query}`);
    assert.equal(
      unescaped(textOf(document, '#custom-link')!),
      `https://giving.example.org/give/spring?${query}`,
    );
    assert.ok(document.querySelector(`a[href$="/poster?${query}"]`));
  });

  for (const [path, query, place, problem] of [
    [spring, 'amount=4', '#amount-problem', 'Must be between $5 and'],
    [spring, 'amount=abc', '#amount-problem', 'Enter an amount'],
    [spring, 'frequency=yearly', '#frequency-problem', 'The form does not offer it'],
    [spring, 'fund=fund_general', '#fund-problem', 'The form does not offer it'],
    [gala, 'amount=20', '#amount-problem', 'The form offers only $150'],
  ] as const) {
    test(`rejects ${query} at the field and keeps what was typed`, async () => {
      const { text, document, status } = await open(`${path}/share?${query}`);
      assert.equal(status, 400);
      assert.ok(textOf(document, place)?.startsWith(problem));
      const amount = new URLSearchParams(query).get('amount');
      if (amount) assert.ok(document.querySelector(`[name="amount"][value="${amount}"]`));
      assert.doesNotMatch(text, /custom-link/);
    });
  }

  test('escapes a hostile title', async () => {
    for (const page of ['share', 'poster', `share?amount=${encodeURIComponent(HOSTILE)}`]) {
      const { document } = await open(`${spring}/${page}`);
      assert.deepEqual(inlineCodeIn(document), []);
    }
  });

  test('is for published forms of the own organization', async () => {
    for (const page of ['share', 'qr.png', 'poster']) {
      assert.equal((await open(`${FORMS}/form_kitchen/${page}`)).status, 404);
      const other = spring.replace(organizationId, 'org_lantern');
      assert.equal((await open(`${other}/${page}`)).status, 404);
      assert.equal((await visitor().openAs(VOLUNTEER, `${gala}/${page}`)).status, 200);
    }
  });
});

test('a form of an organization without a server has no link, only the code for a platform', async () => {
  const path = await publish('gala', {}, { of: 'org_lantern' });
  await setMembership(api.db, { organizationId: 'org_lantern', personId, role: 'owner' });
  for (const page of ['', '/share', '/share?amount=150']) {
    const { status, text } = await open(path + page);
    assert.equal(status, 200);
    assert.doesNotMatch(text, /\/give\/gala|\/embed\/gala|form=&quot;gala/);
    assert.match(text, /form=&quot;org_lantern\/gala&quot;/);
    assert.match(text, /the form’s own page is \/give\/org_lantern\/gala/);
  }
  for (const page of ['poster', 'qr.svg', 'qr.png'])
    assert.equal((await open(`${path}/${page}`)).status, 404);
});

describe('QR codes', () => {
  test('are SVG and PNG files of the link', async () => {
    const svg = await open(`${gala}/qr.svg?amount=150`);
    assert.equal(svg.headers.get('content-type'), 'image/svg+xml');
    assert.match(svg.headers.get('content-disposition') ?? '', /filename="gala\.svg"/);
    const plain = await open(`${gala}/qr.svg`);
    assert.notEqual(svg.text, plain.text);
    const png = await open(`${gala}/qr.png`);
    assert.equal(png.headers.get('content-type'), 'image/png');
  });

  test('have squares of equal size, black on white', async () => {
    const { qrCodePng } = await import('./qr-code.ts');
    const image = sharp(await qrCodePng('https://giving.example.org/give/gala'));
    const { width = 0, height } = await image.metadata();
    assert.equal(width, height);
    assert.ok(width >= 1200);
    const pixels = await image.extractChannel(0).raw().toBuffer();
    assert.deepEqual(new Set(pixels), new Set([0, 255]));
  });
});

describe('the poster', () => {
  test('has the organization, title, code and short address', async () => {
    const { text, document } = await open(`${gala}/poster`);
    assert.equal(textOf(document, 'h1[dir="auto"]'), 'Give to Harbor Street Food Bank');
    assert.match(text, /Scan to give/);
    assert.equal(textOf(document, 'p.address'), 'giving.example.org/give/gala');
    const style = document.querySelector('link[href^="/pages/poster-"][href$=".css"]');
    const css = await fetch(api.url + style!.getAttribute('href'));
    assert.match(await css.text(), /@page/);
  });
});

test('the id of a fund and of a campaign can be copied from its page', async () => {
  for (const [list, id] of [
    ['funds', 'fund_meals'],
    ['campaigns', 'camp_winter'],
  ]) {
    const { document } = await open(`/dashboard/${organizationId}/${list}/${id}`);
    assert.equal(textOf(document, '#record-id'), id);
    assert.ok(document.querySelector('[data-copy="record-id"]'));
  }
});
