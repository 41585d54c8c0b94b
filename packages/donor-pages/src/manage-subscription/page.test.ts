import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  ACCOUNT,
  cardFields,
  subscriptionHelpers,
} from '@connect-embed/api/test-support/donations/subscriptions';
import { eventually, startApi } from '@connect-embed/api/test-support/app/start-api';
import {
  inlineCodeIn,
  readDocument,
  textOf,
} from '@connect-embed/api/test-support/browser/read-document';
import { createManageLinks } from '@connect-embed/api/mail/manage-link';

const SECRET = 'a secret of thirty-two characters';
const api = await startApi({ sandbox: true });
const { app, db, pool, url, sandboxUrl, logged } = api;
const {
  createActive,
  makeCardDecline,
  createUnpaid,
  rowOf,
  statusOf,
  mailsOf,
  advance,
  donationsOf,
  submit,
  openPage,
  stripe,
  ON_ACCOUNT,
} = subscriptionHelpers(api);
const manageLinks = createManageLinks({ secret: SECRET, baseUrl: '' });
const pathOf = (subscription: { id: string; link_epoch: number }) => manageLinks.url(subscription);

/** Checks that a change redirects to the page, and that the page then says what has changed. */
async function changed(response: Response, text: string) {
  assert.equal(response.status, 303);
  const page = await openPage(response.headers.get('location')!.slice(url.length));
  assert.ok(textOf(readDocument(page), '[role="status"]')!.startsWith(text));
}

const subscription = await createActive({ fund_id: 'fund_meals' });
const path = pathOf(subscription);

describe('page of a subscription', () => {
  test('shows the subscription without an account', async () => {
    const response = await app.request(path);
    const text = await response.text();
    assert.equal(response.status, 200);
    for (const part of [
      'Your recurring gift to Harbor Street Food Bank',
      '$25.00',
      'every month',
      'Active',
      'Weekend meals for children',
      'Visa •••• 4242',
    ]) {
      assert.ok(text.includes(part), part);
    }
    assert.doesNotMatch(text, new RegExp(subscription.email));
    const document = readDocument(text);
    assert.deepEqual(inlineCodeIn(document), []);
    assert.equal(document.querySelector('script'), null);
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; style-src 'self';/);
    assert.match(policy, /form-action 'self'/);
    assert.ok(!logged.join('').includes(path.split('/').at(-1)!), 'the log has no link');
  });

  for (const [label, locale, words] of [
    ['sepa_debit 3201', 'en', 'Bank account •••• 3201'],
    ['us_bank_account 6789', 'es', 'Cuenta bancaria •••• 6789'],
    ['sepa_debit 3201', 'de', 'Bankkonto •••• 3201'],
  ] as const) {
    test(`names the payment method "${label}" in words, in the language ${locale}`, async () => {
      const row = db.updateTable('recurring_plan').where('id', '=', subscription.id);
      await row.set({ card_label: label, locale }).execute();
      const facts = textOf(readDocument(await openPage(path)), '.facts');
      await row.set({ card_label: 'visa 4242', locale: 'en' }).execute();
      assert.ok(facts?.includes(words), facts ?? '');
    });
  }

  test('changes the amount from the next payment on', async () => {
    await changed(await submit(`${path}/amount`, { amount: '$40' }), 'Your new amount is saved.');
    assert.equal((await rowOf(subscription.email))?.amount_cents, 4000);
    const stripeSubscription = await stripe.subscriptions.retrieve(
      subscription.processor_subscription_id,
      {},
      ON_ACCOUNT,
    );
    assert.equal(stripeSubscription.items.data[0]?.price.unit_amount, 4000);
    assert.deepEqual(await mailsOf(subscription.id), ['receipt', 'plan_amount']);
  });

  for (const amount of ['0.20', '', 'much', '99999999', '-5', '4000,00,0']) {
    test(`rejects the amount "${amount}" and shows the limits`, async () => {
      const response = await submit(`${path}/amount`, { amount });
      assert.equal(response.status, 400);
      const page = readDocument(await response.text());
      assert.match(textOf(page, '[role="alert"]')!, /^Enter an amount from \$0\.50 to/);
      assert.match(page.title, /^Enter an amount from/);
      const field = page.querySelector('#amount[aria-invalid="true"]')!;
      assert.equal(field.getAttribute('value'), amount);
      assert.match(field.getAttribute('aria-describedby')!, /amount-problem/);
    });
  }

  test('pauses and resumes', async () => {
    await changed(await submit(`${path}/pause`), 'Your recurring gift is paused.');
    assert.match(await openPage(path), /You will not be charged while your gift is paused/);
    const paused = await rowOf(subscription.email);
    assert.deepEqual([paused?.status, paused?.next_payment_at], ['paused', null]);
    await changed(await submit(`${path}/resume`), 'Your recurring gift is active again.');
    assert.equal((await rowOf(subscription.email))?.status, 'active');
  });

  test('asks for confirmation before it cancels the subscription', async () => {
    const confirmationPage = await openPage(`${path}/cancel`);
    assert.match(confirmationPage, /Cancel your recurring gift\?/);
    assert.equal((await rowOf(subscription.email))?.status, 'active');
    await changed(await submit(`${path}/cancel`), 'Your recurring gift is canceled.');
    const text = await openPage(path);
    assert.match(text, /You will not be charged again/);
    assert.equal(readDocument(text).querySelector('form, button'), null);
    assert.equal((await submit(`${path}/resume`)).status, 303);
    assert.equal((await rowOf(subscription.email))?.status, 'canceled');
    assert.deepEqual(await mailsOf(subscription.id), [
      'receipt',
      'plan_amount',
      'plan_paused',
      'plan_resumed',
      'plan_canceled',
    ]);
  });

  test('offers only the amounts of its form if those are fixed', async () => {
    const { token } = await api.createKey();
    const terms = {
      frequencies: ['monthly'],
      amount_locked: true,
      preset_amounts_cents: [1000, 2500],
    };
    const response = await api.post('/embed-sessions', token, terms);
    const { session_token } = (await response.json()) as { session_token: string };
    const { email } = await createUnpaid({}, session_token);
    const row = (await rowOf(email))!;
    const page = readDocument(await openPage(pathOf(row)));
    assert.ok(page.querySelector('[value="1000"]'));
    const rejected = await submit(`${pathOf(row)}/amount`, { cents: '1500' });
    assert.equal(rejected.status, 400);
    assert.ok(textOf(readDocument(await rejected.text()), '[role="alert"]'));
    await changed(
      await submit(`${pathOf(row)}/amount`, { cents: '1000' }),
      'Your new amount is saved.',
    );
  });
});

describe('changing the card', () => {
  /** Simulates the requests of the page's script. */
  async function setUp(path: string, number = '5555555555554444') {
    const response = await app.request(`${path}/setup-intents`, { method: 'POST' });
    const { client_secret } = (await response.json()) as { client_secret: string };
    const id = client_secret.split('_secret_')[0]!;
    await fetch(`${sandboxUrl}/v1/setup_intents/${id}/confirm`, {
      method: 'POST',
      headers: { authorization: 'Bearer pk_test_sandbox', 'stripe-account': ACCOUNT },
      body: new URLSearchParams({ client_secret, ...cardFields(number) }),
    });
    return id;
  }

  test('pays an overdue invoice', async () => {
    const overdue = await createActive();
    await makeCardDecline(overdue);
    await advance('month');
    await advance(2 * 3600);
    await statusOf(overdue.email, 'past_due');
    const path = pathOf(overdue);
    assert.match(await openPage(path), /Your last payment failed/);
    assert.match(await openPage(`${path}/card`), /try the payment again right away/);
    await changed(
      await submit(`${path}/card`, { setup_intent: await setUp(path) }),
      'Your new payment method is saved.',
    );
    const active = await statusOf(overdue.email, 'active');
    assert.equal(active.card_label, 'mastercard 4444');
    await eventually(async () => ((await donationsOf(overdue.id)).length === 2 ? true : undefined));
  });

  test('is asked for when the bank has ended the permission to charge', async () => {
    const lost = await createActive();
    await api.db
      .updateTable('recurring_plan')
      .set({ payment_method_lost_at: new Date() })
      .where('id', '=', lost.id)
      .execute();
    const path = pathOf(lost);
    assert.match(await openPage(path), /Your bank no longer allows payments from your account/);
    await changed(
      await submit(`${path}/card`, { setup_intent: await setUp(path) }),
      'Your new payment method is saved.',
    );
    assert.doesNotMatch(await openPage(path), /no longer allows/);
  });

  test('is possible only with a setup intent of the same donor', async () => {
    const [subscription, other] = [await createActive(), await createActive()];
    const card = await setUp(pathOf(subscription));
    const response = await submit(`${pathOf(other)}/card`, { setup_intent: card });
    assert.equal(response.status, 503);
    assert.equal((await rowOf(other.email))?.card_label, 'visa 4242');
    const rejected = await submit(`${pathOf(other)}/card`, { setup_intent: '../v1' });
    assert.equal(rejected.status, 503);
    await changed(
      await app.request(`${pathOf(subscription)}/card/return?setup_intent=${card}`),
      'Your new payment method is saved.',
    );
  });

  test('is completed by the event if the page was closed too early', async () => {
    const subscription = await createActive();
    await setUp(pathOf(subscription));
    await eventually(async () => {
      const row = await rowOf(subscription.email);
      return row?.card_label === 'mastercard 4444' ? row : undefined;
    });
    assert.deepEqual(await mailsOf(subscription.id), ['receipt', 'plan_card']);
  });

  test('uses a page that runs our script and the processor’s', async () => {
    const subscription = await createActive();
    const response = await app.request(`${pathOf(subscription)}/card`);
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.ok(policy.includes(`script-src 'self' ${sandboxUrl};`));
    assert.match(policy, /form-action 'self'/);
    const document = readDocument(await response.text());
    assert.ok(document.querySelector('noscript'));
    const script = document.querySelector('script[src*="/plans/"][src$=".js"]');
    const scriptResponse = await app.request(new URL(script!.getAttribute('src')!, url).pathname);
    assert.match(scriptResponse.headers.get('content-type') ?? '', /javascript/);
  });

  test('asks Stripe’s fields only for what the plan does not know of the donor', async () => {
    const subscription = await createActive();
    const row = db.updateTable('recurring_plan').where('id', '=', subscription.id);
    const billingOf = async () => {
      const form = readDocument(await openPage(`${pathOf(subscription)}/card`));
      return JSON.parse(form.querySelector('#card-form')!.getAttribute('data-billing')!) as unknown;
    };
    const { email } = subscription;
    await row.set({ donor_name: 'Zoë "Z" O’Neil' }).execute();
    assert.deepEqual(await billingOf(), { name: 'Zoë "Z" O’Neil', email });
    await row.set({ donor_name: null }).execute();
    assert.deepEqual(await billingOf(), { email });
  });

  test('is limited per minute', async () => {
    const subscription = await createActive();
    const statuses = [];
    for (let attempt = 0; attempt < 7; attempt += 1) {
      const response = await app.request(`${pathOf(subscription)}/setup-intents`, {
        method: 'POST',
      });
      statuses.push(response.status);
    }
    assert.deepEqual(statuses.slice(-2), [429, 429]);
  });

  test('is limited to twenty cards a day', async () => {
    const subscription = await createActive();
    const minute = [`plan card ${subscription.id}`, `plan change ${subscription.id}`];
    const statuses = [];
    for (let attempt = 0; attempt < 21; attempt += 1) {
      // Resets the limiter of one minute; the limiter of one day remains.
      await pool.query('delete from rate_limit where key = any ($1)', [minute]);
      const response = await app.request(`${pathOf(subscription)}/setup-intents`, {
        method: 'POST',
      });
      statuses.push(response.status);
      if (attempt === 20) assert.ok(Number(response.headers.get('retry-after')) > 3600);
    }
    assert.deepEqual(statuses.slice(-2), [201, 429]);
  });

  test('cancels the setup intent of a declined card, so that no list of cards is tested on it', async () => {
    const subscription = await createActive();
    const id = await setUp(pathOf(subscription), '4000000000000002');
    await eventually(async () => {
      const { status } = await stripe.setupIntents.retrieve(id, {}, ON_ACCOUNT);
      return status === 'canceled' ? true : undefined;
    });
    await setUp(pathOf(subscription)); // The next attempt creates another setup intent.
    await eventually(async () => {
      const row = await rowOf(subscription.email);
      return row?.card_label === 'mastercard 4444' ? row : undefined;
    });
  });
});

describe('a manage link', () => {
  const expiredLinks = createManageLinks({
    secret: SECRET,
    baseUrl: '',
    now: () => Date.now() - 401 * 86_400_000,
  });

  test('that expired shows nothing and can be sent anew to the donor only', async () => {
    const subscription = await createActive();
    const old = expiredLinks.url(subscription);
    const response = await app.request(old);
    assert.equal(response.status, 410);
    assert.doesNotMatch(await response.text(), /Harbor|\$25/);
    assert.equal((await submit(`${old}/cancel`)).status, 200);
    assert.equal((await rowOf(subscription.email))?.status, 'active');
    await submit(`${old}/link`);
    assert.deepEqual(await mailsOf(subscription.id), ['receipt', 'plan_link']);
  });

  test('is revoked when the epoch is increased', async () => {
    const subscription = await createActive();
    await db
      .updateTable('recurring_plan')
      .set({ link_epoch: 1 })
      .where('id', '=', subscription.id)
      .execute();
    assert.equal((await app.request(pathOf(subscription))).status, 404);
  });

  const right = pathOf(subscription).slice('/plans/'.length);
  const otherKey = createManageLinks({ secret: 'another secret', baseUrl: '' });
  for (const [description, token] of [
    ['was changed', right.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
    [
      'is for another plan',
      right.replace(/^plan_./, (start) => (start === 'plan_0' ? 'plan_1' : 'plan_0')),
    ],
    ['has a later expiration', right.replace(/\.([0-9a-z]+)\.([\w-]{43})$/, '.zzzz.$2')],
    ['was signed with another key', otherKey.url(subscription).slice('/plans/'.length)],
    ['is malformed', 'x'],
  ] as const) {
    test(`that ${description} gives no access`, async () => {
      const response = await app.request(`/plans/${token}`);
      assert.equal(response.status, 404);
      assert.match(await response.text(), /We could not find this gift/);
      assert.equal((await submit(`/plans/${token}/cancel`)).status, 404);
    });
  }
});
