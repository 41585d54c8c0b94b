import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { PaymentIntent } from '@connect-embed/contract';
import { readError, startApi, stripeAt } from '../../test-support/app/start-api.ts';

const { get, post, db, pool, sandboxUrl, createKey } = await startApi({ sandbox: true });
const stripe = stripeAt(sandboxUrl);
const key = await createKey(['payments:write']);

const retrieve = (id: string, account = 'acct_harbor_street') =>
  stripe.paymentIntents.retrieve(id, {}, { stripeAccount: account });

async function intentOf(body: object, token = key.token) {
  const response = await post('/payment-intents', token, body);
  assert.equal(response.status, 201);
  return PaymentIntent.strict().parse(await response.json());
}

async function sessionWith(terms: object) {
  const response = await post('/embed-sessions', key.token, terms);
  return (await response.json()) as { id: string; session_token: string };
}

describe('POST /payment-intents', () => {
  test('returns what the card form needs', async () => {
    const intent = await intentOf({ amount_cents: 2500 });
    assert.equal(intent.stripe_account_id, 'acct_harbor_street');
    assert.equal(intent.publishable_key, 'pk_test_sandbox');
    assert.match(intent.client_secret, new RegExp(`^${intent.payment_intent_id}_secret_`));
  });

  test("creates the intent on the organization's own account, with the metadata of the donation", async () => {
    const donation = { amount_cents: 5000, fund_id: 'fund_meals', donor_email: 'ana@example.org' };
    const { payment_intent_id, reference } = await intentOf({
      ...donation,
      donor_name: '  Ana Ruiz ',
    });
    const { amount, currency, description, metadata } = await retrieve(payment_intent_id);
    assert.deepEqual({ amount, currency }, { amount: 5000, currency: 'usd' });
    assert.equal(description, `Donation ${reference}`);
    assert.deepEqual(
      { ...metadata },
      {
        organization_id: 'org_harbor',
        fund_id: 'fund_meals',
        donor_name: 'Ana Ruiz',
        donor_email: 'ana@example.org',
        source: 'api',
        source_id: key.id,
        reference,
      },
    );
    await assert.rejects(retrieve(payment_intent_id, 'acct_lantern'), /No such payment_intent/);
  });

  test('normalizes the email address', async () => {
    const { payment_intent_id } = await intentOf({
      amount_cents: 700,
      donor_email: ' name＠example．org\u200b',
    });
    const { metadata } = await retrieve(payment_intent_id);
    assert.equal(metadata['donor_email'], 'name@example.org');
  });

  test('stores the intent as open', async () => {
    const { payment_intent_id } = await intentOf({ amount_cents: 700 });
    const row = await db
      .selectFrom('payment_intent')
      .select(['status', 'amount_cents', 'organization_id'])
      .where('id', '=', payment_intent_id)
      .executeTakeFirst();
    assert.deepEqual(row, { status: 'open', amount_cents: 700, organization_id: 'org_harbor' });
  });

  for (const [description, body, field] of [
    ['an amount as a string', { amount_cents: '2500' }, 'amount_cents'],
    ['a fraction of a cent', { amount_cents: 2500.5 }, 'amount_cents'],
    ['no amount', {}, 'amount_cents'],
    ['zero', { amount_cents: 0 }, 'amount_cents'],
    ['a negative amount', { amount_cents: -2500 }, 'amount_cents'],
    ['an amount below the minimum', { amount_cents: 49 }, 'amount_cents'],
    ['an amount above the maximum', { amount_cents: 100_000_000 }, 'amount_cents'],
    ['an amount above the largest number', '{"amount_cents":1e999}', 'amount_cents'],
    ['an unknown field', { amount_cents: 2500, ammount: 1 }, 'ammount'],
    ["another organization's fund", { amount_cents: 2500, fund_id: 'fund_lantern' }, 'fund_id'],
    ['a fund id with a NUL', { amount_cents: 2500, fund_id: 'fund_\u0000' }, 'fund_id'],
    ['an invalid email address', { amount_cents: 2500, donor_email: 'ana@' }, 'donor_email'],
    ['a NUL in a name', { amount_cents: 2500, donor_name: 'a\u0000b' }, 'donor_name'],
    ['an email address with ö', { amount_cents: 2500, donor_email: 'ö@a.org' }, 'donor_email'],
    ['an invisible name', { amount_cents: 2500, donor_name: '\u200b \u2060' }, 'donor_name'],
    ['a name of spaces', { amount_cents: 2500, donor_name: '   ' }, 'donor_name'],
    ['an unknown session', { amount_cents: 2500, embed_session_id: 'es_x' }, 'embed_session_id'],
    ['an array', [], 'body'],
    ['malformed JSON', '{"amount_cents":', 'body'],
    ['no body', '', 'body'],
  ] as const) {
    test(`rejects ${description}, and names ${field}`, async () => {
      const response = await post('/payment-intents', key.token, body);
      assert.match(await readError(response), new RegExp(`^400 invalid_request ${field} `));
    });
  }

  test('rejects a body that is not JSON, and one that is too large', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const typed = await post('/payment-intents', key.token, 'amount_cents=2500', form);
    assert.match(await readError(typed), /^415 unsupported_media_type Content-Type/);
    const tooLarge = await post('/payment-intents', key.token, { donor_name: 'a'.repeat(70_000) });
    assert.match(await readError(tooLarge), /^413 payload_too_large /);
  });
});

describe('POST /payment-intents with an embed session', () => {
  const terms = {
    fund_id: 'fund_kitchen',
    campaign_id: 'camp_winter',
    preset_amounts_cents: [1000, 2000],
    amount_locked: true,
  };

  for (const method of ['given by its id', 'given by its token'] as const) {
    test(`uses fund, campaign and source of the session ${method}`, async () => {
      const { id, session_token } = await sessionWith(terms);
      const { payment_intent_id } =
        method === 'given by its id'
          ? await intentOf({ amount_cents: 2000, embed_session_id: id })
          : await intentOf({ amount_cents: 2000 }, session_token);
      const { metadata } = await retrieve(payment_intent_id);
      const target = { fund_id: 'fund_kitchen', campaign_id: 'camp_winter', source: 'embed' };
      assert.partialDeepStrictEqual(metadata, target);
      const savedIntent = await db
        .selectFrom('payment_intent')
        .selectAll()
        .where('id', '=', payment_intent_id)
        .executeTakeFirstOrThrow();
      assert.partialDeepStrictEqual(savedIntent, { ...target, source_id: id });
    });
  }

  test('returns the same intent after a crash, also with a renewed session', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const createPaymentIntent = async () => {
      const { id } = await sessionWith(terms);
      const donation = { amount_cents: 2000, embed_session_id: id };
      const response = await post('/payment-intents', key.token, donation, headers);
      assert.equal(response.status, 201);
      return PaymentIntent.parse(await response.json()).payment_intent_id;
    };
    const first = await createPaymentIntent();
    // Deleting the rows restores the state after a crash right after Stripe created the intent.
    await db.deleteFrom('idempotency_key').execute();
    await db.deleteFrom('payment_intent').where('id', '=', first).execute();
    assert.equal(await createPaymentIntent(), first);
  });

  test('is rejected with the same Idempotency-Key through a form with another target', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const createPaymentIntent = async (terms: object) => {
      const { id } = await sessionWith(terms);
      const donation = { amount_cents: 2000, embed_session_id: id };
      return await post('/payment-intents', key.token, donation, headers);
    };
    const first = await createPaymentIntent(terms);
    const renewed = await createPaymentIntent({ ...terms, preset_amounts_cents: [2000] }); // The same fund and campaign.
    assert.equal(await renewed.text(), await first.text());
    const { id } = await sessionWith(terms);
    const spaced = `{ "embed_session_id": "${id}", "amount_cents": 2000 }`;
    const repeated = await post('/payment-intents', key.token, spaced, headers);
    assert.equal(repeated.status, 201);
    for (const otherTerms of [{ ...terms, fund_id: 'fund_meals' }, {}]) {
      assert.match(
        await readError(await createPaymentIntent(otherTerms)),
        /^409 conflict Idempotency-Key was already used/,
      );
    }
  });

  test('applies the terms of the session', async () => {
    const { id, session_token } = await sessionWith(terms);
    for (const [body, field] of [
      [{ amount_cents: 1500 }, 'amount_cents'],
      [{ amount_cents: 2000, fund_id: 'fund_meals' }, 'fund_id'],
    ] as const) {
      const withSession = await post('/payment-intents', session_token, body);
      assert.match(await readError(withSession), new RegExp(`^400 invalid_request ${field} `));
      const withKey = await post('/payment-intents', key.token, { ...body, embed_session_id: id });
      assert.match(await readError(withKey), new RegExp(`^400 invalid_request ${field} `));
    }
  });

  test('rejects a field that the form does not offer, naming it', async () => {
    const { id, session_token } = await sessionWith({ campaign_id: 'camp_winter' });
    for (const [fields, field] of [
      [{ fund_id: 'fund_meals' }, 'fund_id'],
      [{ campaign_id: 'camp_roof' }, 'campaign_id'],
      [{ currency: 'eur' }, 'currency'],
      [{ frequency: 'monthly' }, 'frequency'],
      [{ fee_cover_cents: 100 }, 'fee_cover_cents'],
      [{ metadata: { comment: 'Hello' } }, 'metadata.comment'],
    ] as const) {
      const body = { amount_cents: 2000, ...fields };
      const withSession = await post('/payment-intents', session_token, body);
      assert.match(await readError(withSession), new RegExp(`^400 invalid_request ${field} `));
      const withKey = await post('/payment-intents', key.token, { ...body, embed_session_id: id });
      assert.match(await readError(withKey), new RegExp(`^400 invalid_request ${field} `));
    }
  });

  test('is refused once the campaign is switched off or has ended, and new forms say so', async () => {
    const { session_token } = await sessionWith({ campaign_id: 'camp_winter' });
    const setCampaign = (assignment: string) =>
      pool.query(`update campaign set ${assignment} where id = 'camp_winter'`);
    // What is today in Kiritimati may still be yesterday in Pago Pago, and the reverse.
    const today = (zone: string) =>
      `(now() at time zone '${zone}')::date::timestamp at time zone 'UTC'`;
    const setZone = (zone: string) =>
      pool.query(`update organization set time_zone = '${zone}' where id = 'org_harbor'`);
    const answers = async () => [
      (await post('/payment-intents', session_token, { amount_cents: 2000 })).status,
      (await get('/embed-sessions/current', session_token)).status,
      (await post('/embed-sessions', key.token, { campaign_id: 'camp_winter' })).status,
    ];
    try {
      for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/New_York']) {
        await setZone(zone);
        await setCampaign(`end_date = ${today(zone)}`);
        assert.deepEqual(await answers(), [201, 200, 201], zone);
        await setCampaign(`end_date = ${today(zone)} - interval '1 day'`);
        assert.deepEqual(await answers(), [404, 404, 404], zone);
      }
      await setCampaign('end_date = null, is_active = false');
      const response = await post('/payment-intents', session_token, { amount_cents: 2000 });
      const { error } = (await response.json()) as { error: object };
      assert.partialDeepStrictEqual(error, {
        code: 'campaign_ended',
        message: 'This campaign has ended. You were not charged.',
      });
      await setCampaign('is_active = true');
      assert.deepEqual(await answers(), [201, 200, 201]);
    } finally {
      await setZone('America/New_York');
    }
  });

  test('stores the donor’s comment and fee cover if the form allows them', async () => {
    const { session_token } = await sessionWith({ allow_comment: true, fee_cover: 'offered' });
    const donation = {
      amount_cents: 5181,
      fee_cover_cents: 181,
      metadata: { comment: 'Thank you' },
    };
    const { payment_intent_id } = await intentOf(donation, session_token);
    const { metadata } = await retrieve(payment_intent_id);
    assert.partialDeepStrictEqual(metadata, { comment: 'Thank you', fee_cover_cents: '181' });
    const dedicated = { amount_cents: 5000, metadata: { dedication: 'Ada' } };
    assert.match(
      await readError(await post('/payment-intents', session_token, dedicated)),
      /^400 invalid_request metadata\.dedication /,
    );
  });

  test('keeps the name under which the server shows the form', async () => {
    const { session_token } = await sessionWith({ form_name: 'meals' });
    const { payment_intent_id: id } = await intentOf({ amount_cents: 5000 }, session_token);
    const row = await db
      .selectFrom('payment_intent')
      .select(['form_id', 'form_name'])
      .where('id', '=', id)
      .executeTakeFirst();
    assert.deepEqual(row, { form_id: null, form_name: 'meals' });
    // For the case that the row is lost in a crash.
    assert.equal((await retrieve(id)).metadata['form_name'], 'meals');
  });

  test('rejects the session of another token, of another organization, and an expired one', async () => {
    const [session, foreignSession] = [await sessionWith({}), await sessionWith({})];
    const foreign = await createKey(['payments:write'], 'org_lantern');
    const donation = { amount_cents: 2000, embed_session_id: foreignSession.id };
    const refused = /^400 invalid_request embed_session_id /;
    assert.match(
      await readError(await post('/payment-intents', session.session_token, donation)),
      refused,
    );
    assert.match(await readError(await post('/payment-intents', foreign.token, donation)), refused);
    await db
      .updateTable('embed_session')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('id', '=', foreignSession.id)
      .execute();
    assert.match(await readError(await post('/payment-intents', key.token, donation)), refused);
    const response = await post('/payment-intents', foreignSession.session_token, {
      amount_cents: 2000,
    });
    assert.match(await readError(response), /^401 unauthorized /);
  });
});
