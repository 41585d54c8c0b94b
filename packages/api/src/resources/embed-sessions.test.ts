import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  EmbedForm,
  EmbedSession,
  MAX_DONATION_CENTS,
  MIN_DONATION_CENTS,
} from '@connect-embed/contract';
import { readError, startApi } from '../../test-support/app/start-api.ts';
import { removeLogo, saveLogo } from './organization-logo.ts';

const { db, get, call, post, createKey, url, sandboxUrl } = await startApi();
const { token } = await createKey(['payments:write']);

async function open(terms: object): Promise<EmbedSession> {
  const response = await post('/embed-sessions', token, terms);
  assert.equal(response.status, 201);
  return EmbedSession.strict().parse(await response.json());
}

describe('POST /embed-sessions', () => {
  test('creates a session that is valid for an hour, also without a body', async () => {
    const response = await call('POST', '/embed-sessions', token);
    const session = EmbedSession.strict().parse(await response.json());
    assert.equal(response.status, 201);
    assert.equal(session.organization_id, 'org_harbor');
    assert.equal(session.embed_url, `${url}/embed/${session.id}`);
    assert.match(session.session_token, /^gb_es_[\w-]{43}$/);
    const lifetimeMs = Date.parse(session.expires_at) - Date.now();
    assert.ok(Math.abs(lifetimeMs - 3_600_000) < 5_000);
  });

  test('stores no readable token in the database', async () => {
    const { session_token } = await open({});
    const rows = await db.selectFrom('embed_session').selectAll().execute();
    assert.ok(!JSON.stringify(rows).includes(session_token.slice(6)));
  });

  for (const [description, body, field] of [
    ["another organization's fund", { fund_id: 'fund_lantern' }, 'fund_id'],
    ['an unknown campaign', { campaign_id: 'camp_x' }, 'campaign_id'],
    ['an id with a NUL', { campaign_id: 'camp_\u0000' }, 'campaign_id'],
    ['amount_locked without amounts', { amount_locked: true }, 'amount_locked'],
    ['an unknown fund in the choice', { fund_choice_ids: ['fund_x'] }, 'fund_choice_ids'],
    ['a success_url without TLS', { success_url: 'http://example.org' }, 'success_url'],
    ['a success_url with a NUL', { success_url: 'https://example.org/\0' }, 'success_url'],
    ['an incomplete Unicode character', { prefill: { donor_name: 'Ada \ud83c' } }, 'donor_name'],
    ['an origin with a path', { origins: ['https://example.org/give'] }, 'origins.0'],
    ['an origin that matches every site', { origins: ['https://*'] }, 'origins.0'],
    [
      'an origin with a Content Security Policy directive',
      { origins: ['https://example.org;script-src'] },
      'origins.0',
    ],
    ['an origin without TLS', { origins: ['http://example.org'] }, 'origins.0'],
    ['an unknown card_loading', { card_loading: 'lazy' }, 'card_loading'],
    [
      'a minimum above the maximum',
      { min_amount_cents: 900, max_amount_cents: 800 },
      'min_amount_cents',
    ],
    [
      'a preset amount below the minimum',
      { preset_amounts_cents: [1, 2] },
      'preset_amounts_cents.0',
    ],
    ['the name of a form that has its own', { form: 'website', form_name: 'meals' }, 'form_name'],
    ['an unknown field', { amonut: 5 }, 'amonut'],
    ['an unknown field in prefill', { prefill: { phone: '1' } }, 'prefill.phone'],
    ['a NUL in a name', { prefill: { donor_name: 'a\u0000' } }, 'prefill.donor_name'],
  ] as const) {
    test(`rejects ${description}, and names ${field}`, async () => {
      const response = await post('/embed-sessions', token, body);
      assert.match(await readError(response), new RegExp(`^400 invalid_request ${field} `));
    });
  }

  test('is forbidden with a session token', async () => {
    const { session_token } = await open({});
    const response = await post('/embed-sessions', session_token, {});
    assert.match(await readError(response), /^403 insufficient_scope .*payments:write/);
  });
});

describe('GET /embed-sessions/current', () => {
  const current = async (sessionToken: string) =>
    EmbedForm.strict().parse(await (await get('/embed-sessions/current', sessionToken)).json());

  test('returns the terms and data of the form', async () => {
    const { session_token } = await open({
      fund_id: 'fund_meals',
      campaign_id: 'camp_winter',
      preset_amounts_cents: [500, 1500],
      default_amount_cents: 1500,
      amount_locked: true,
      prefill: { donor_name: 'Ana Ruiz', donor_email: 'ana@example.org' },
    });
    assert.deepEqual(await current(session_token), {
      object: 'embed_form',
      organization: {
        id: 'org_harbor',
        name: 'Harbor Street Food Bank',
        time_zone: 'America/New_York',
        contact_email: 'hello@harborstreet.example',
        logo_url: null,
      },
      currency: 'usd',
      terms: {
        fund_id: 'fund_meals',
        campaign_id: 'camp_winter',
        preset_amounts_cents: [500, 1500],
        default_amount_cents: 1500,
        amount_locked: true,
        min_amount_cents: MIN_DONATION_CENTS,
        max_amount_cents: MAX_DONATION_CENTS,
        frequencies: ['one_time'],
        default_frequency: 'one_time',
        preset_amounts_by_frequency: {},
        fee_cover: 'off',
        fee_cover_basis_points: 290,
        fee_cover_fixed_cents: 30,
        fund_choices: [],
        allow_dedication: false,
        allow_anonymous: false,
        allow_comment: false,
        prefill_from_url: [],
        success_url: null,
        show_goal: false,
        card_loading: 'interaction',
        payment_method_types: null,
      },
      fund_name: 'Weekend meals for children',
      campaign_name: 'A Warm Winter',
      prefill: { donor_name: 'Ana Ruiz', donor_email: 'ana@example.org' },
      publishable_key: 'pk_test_sandbox',
      stripe_account_id: 'acct_harbor_street',
      stripe_js_url: `${sandboxUrl}/stripe.js`,
      livemode: false,
      receipts: true,
      payment_method_types: ['card'],
      form_id: null,
      form_version: null,
    });
  });

  test('names the address of the logo, which everybody can read', async (t) => {
    await saveLogo(db, 'org_harbor', {
      media_type: 'image/png',
      width: 64,
      height: 64,
      content: Buffer.from('a logo'),
    });
    t.after(() => removeLogo(db, 'org_harbor'));
    const { session_token, form } = await open({});
    const { organization } = await current(session_token);
    assert.deepEqual(form?.organization, organization);
    const logoUrl = String(organization.logo_url);
    assert.ok(logoUrl.startsWith(`${url}/logos/org_harbor/`));
    assert.equal(await (await fetch(logoUrl)).text(), 'a logo');
  });

  test('announces no receipt if no email can be sent', async () => {
    const apiWithoutMail = await startApi({
      env: { NODE_ENV: 'production', SANDBOX_WEBHOOK_SECRET: 's'.repeat(32) },
    });
    const key = await apiWithoutMail.createKey(['payments:write']);
    const opened = await apiWithoutMail.post('/embed-sessions', key.token, {});
    const { session_token } = EmbedSession.parse(await opened.json());
    const form = EmbedForm.parse(
      await (await apiWithoutMail.get('/embed-sessions/current', session_token)).json(),
    );
    assert.equal(form.receipts, false);
  });

  test('lists the funds to choose from, in the requested order', async () => {
    const { session_token } = await open({
      fund_choice_ids: ['fund_meals', 'fund_general'],
      frequencies: ['one_time', 'monthly'],
      preset_amounts_by_frequency: { monthly: [1000, 2000] },
      fee_cover: 'offered',
      success_url: 'https://example.org/thanks',
    });
    const { terms } = await current(session_token);
    assert.deepEqual(
      terms.fund_choices.map(({ id }) => id),
      ['fund_meals', 'fund_general'],
    );
    assert.equal(terms.fund_choices[0]?.name, 'Weekend meals for children');
    assert.deepEqual(terms.preset_amounts_by_frequency, { monthly: [1000, 2000] });
    assert.equal(terms.success_url, 'https://example.org/thanks');
  });

  test('contains every field if nothing was set', async () => {
    const { session_token } = await open({});
    assert.partialDeepStrictEqual(await current(session_token), {
      fund_name: null,
      campaign_name: null,
      prefill: { donor_name: null, donor_email: null },
    });
  });

  test('accepts only the token of an embed session', async () => {
    const response = await get('/embed-sessions/current', token);
    assert.match(await readError(response), /^403 forbidden /);
  });

  test('expires after an hour, and when its API key is revoked', async () => {
    const session = await open({});
    await db
      .updateTable('embed_session')
      .set({ expires_at: new Date() })
      .where('id', '=', session.id)
      .execute();
    assert.equal((await get('/embed-sessions/current', session.session_token)).status, 401);

    const key = await createKey(['payments:write']);
    const response = await post('/embed-sessions', key.token, {});
    const { session_token } = (await response.json()) as EmbedSession;
    assert.equal((await get('/embed-sessions/current', session_token)).status, 200);
    await db
      .updateTable('api_key')
      .set({ revoked_at: new Date() })
      .where('id', '=', key.id)
      .execute();
    assert.equal((await get('/embed-sessions/current', session_token)).status, 401);
  });

  test('opens no other route', async () => {
    const { session_token } = await open({});
    for (const path of ['/donations', '/donors', '/payouts', '/organization', '/funds']) {
      assert.equal((await get(path, session_token)).status, 403, path);
    }
  });
});
