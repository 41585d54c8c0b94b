import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { ConnectError, type PaymentIntent } from '@connect-embed/contract';
import Stripe from 'stripe';
import { ACCOUNT } from '@connect-embed/api/test-support/app/manual-events-sandbox';
import { planOf } from '@connect-embed/api/test-support/donations/own-keys';
import { eventually } from '@connect-embed/api/test-support/app/start-api';
import { startEvents } from '@connect-embed/api/test-support/app/start-events';
import { ADMIN, VOLUNTEER } from '@connect-embed/api/test-support/app/start-oauth';
import { subscriptionHelpers } from '@connect-embed/api/test-support/donations/subscriptions';
import { storedResponseOf } from '@connect-embed/api/http/idempotency';
import { createDevelopmentTransport } from '@connect-embed/api/mail/development-mailbox';
import { runMailWorker } from '@connect-embed/api/mail/mail-worker';

const { api, owner, visitor, newEvent, newRegistration, token } = await startEvents({
  sandbox: true,
});
const { createActive, createUnpaid, pay, advance, donationsOf, stripe, rowOf } =
  subscriptionHelpers(api);
const { db, pool, deps } = api;
const DONORS = '/dashboard/org_harbor/donors';

const donorOf = (email: string) =>
  db.selectFrom('donor').selectAll().where('email', '=', email).executeTakeFirstOrThrow();

const donationOf = (intentId: string) =>
  eventually(() =>
    db
      .selectFrom('donation')
      .selectAll()
      .where('processor_payment_intent_id', '=', intentId)
      .executeTakeFirst(),
  );

/** Finds the texts in all columns of the whole database that can contain text. */
async function placesOf(...texts: string[]): Promise<string[]> {
  const { rows: columns } = await pool.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
     join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE'
       and data_type in ('text', 'character varying', 'jsonb', 'json', 'ARRAY', 'tsvector', 'USER-DEFINED')`,
  );
  const places: string[] = [];
  for (const { table, column } of columns) {
    const { rows } = await pool.query(
      `select 1 from "${table}" where lower("${column}"::text) like any($1) limit 1`,
      [texts.map((text) => `%${text.toLowerCase()}%`)],
    );
    if (rows.length > 0) places.push(`${table}.${column}`);
  }
  const { rows: responses } = await pool.query<{ encrypted_body: string }>(
    'select encrypted_body from idempotency_key where encrypted_body is not null',
  );
  for (const { encrypted_body } of responses) {
    const text = await deps.responseEncrypter.decrypt(
      encrypted_body,
      storedResponseOf('org_harbor'),
    );
    const body = text?.toLowerCase() ?? '';
    if (texts.some((text) => body.includes(text.toLowerCase()))) places.push('idempotency_key');
  }
  return places;
}

/** Creates a donor with everything that is stored about a person. */
async function liveALife() {
  const first = `Zora${randomUUID().slice(0, 8)}`;
  const last = `Quill${randomUUID().slice(0, 8)}`;
  const email = `${first}.${last}@example.org`.toLowerCase();
  const person = { donor_name: `${first} ${last}`, donor_email: email };
  const post = await api.post(
    '/payment-intents',
    token,
    {
      amount_cents: 4200,
      ...person,
      metadata: {
        locale: 'de',
        tshirt: `${first}-large`,
        dedication: `For ${last}`,
        comment: `From ${first}`,
      },
    },
    { 'idempotency-key': randomUUID() },
  );
  const intent = (await post.json()) as PaymentIntent;
  await stripe.paymentIntents.confirm(
    intent.payment_intent_id,
    { payment_method: 'pm_card_visa' },
    ACCOUNT,
  );
  const donation = await donationOf(intent.payment_intent_id);
  await pay((await createUnpaid(person)).intent);
  const plan = await eventually(async () => {
    const row = await rowOf(email);
    return row?.status === 'active' && row.card_label ? row : undefined;
  });
  const debit = await api.post(
    '/payment-intents',
    token,
    { amount_cents: 5100, ...person },
    { 'idempotency-key': randomUUID() },
  );
  await pool.query(
    `update payment_intent set status = 'processing', donor_name = $2, donor_email = $3, locale = 'de' where id = $1`,
    [
      ((await debit.json()) as PaymentIntent).payment_intent_id,
      person.donor_name,
      email.toUpperCase(),
    ],
  );
  const session = await api.post(
    '/embed-sessions',
    token,
    { prefill: person },
    { 'idempotency-key': randomUUID() },
  );
  assert.equal(session.status, 201, await session.text());
  // A page that knows only the name, written in another way.
  const nameOnly = { prefill: { donor_name: `${first.toUpperCase()}  ${last}` } };
  const headers = { 'idempotency-key': randomUUID() };
  assert.equal((await api.post('/embed-sessions', token, nameOnly, headers)).status, 201);
  await pool.query(
    `insert into card_reservation (id, organization_id, form_key, address_hash, has_proof_of_work,
       card_count, max_declines, payment_intent_id, ended_at)
     values ($1, 'org_harbor', 'form', $2, false, 1, 3, $3, now())
     on conflict (payment_intent_id) where payment_intent_id is not null do update set address_hash = $2`,
    [randomUUID(), `hash-${first}`, intent.payment_intent_id],
  );
  const event = await newEvent();
  await newRegistration(event, {
    attendee_name: `${first} ${last}`,
    attendee_email: email,
    attendee_phone: '+1 555 0100',
  });
  const endpoint = { url: 'https://hooks.example.org/x', events: ['donation.created'] };
  await api.post('/webhook-endpoints', token, endpoint);
  const { id } = await donorOf(email);
  await pool.query(
    `update donor set phone = '+1 555 0100', city = $2, postal_code = '12345' where id = $1`,
    [id, `Town of ${first}`],
  );
  const path = `${DONORS}/${id}`;
  await owner.post(`${path}/notes`, { text: `${first} likes tea` });
  return { first, last, email, id, path, donation, plan, intentId: intent.payment_intent_id };
}

describe('erasing the data of a donor', () => {
  test('leaves the name and the address nowhere, and keeps the accounts', async () => {
    const donor = await liveALife();
    const { first, last, email, id, path, donation, plan, intentId } = donor;
    const refund = {
      returned_before: '0',
      reason: 'duplicate',
      amount: '2',
      note: `${first} called`,
    };
    await owner.post(`/dashboard/org_harbor/donations/${donation.id}/refund`, refund);
    const worker = runMailWorker({
      db,
      transport: createDevelopmentTransport(db),
      log: { info: () => undefined, warn: () => undefined },
      baseUrl: deps.baseUrl,
      manageLinks: deps.manageLinks,
      from: 'gifts@give.example',
    });
    await eventually(async () =>
      (await placesOf(email)).includes('development_mail.email') ? true : undefined,
    );
    await worker.stop();
    // An attempt that was not paid. After a while only Stripe knows about it.
    await createUnpaid({ donor_name: `${first} ${last}`, donor_email: email });
    await pool.query('delete from recurring_plan where donor_email = $1 and id <> $2', [
      email,
      plan.id,
    ]);
    const corrected = `${last}.${first}@example.org`.toLowerCase();
    await owner.post(`${path}/correct`, { first_name: first, last_name: last, email: corrected });
    assert.ok((await placesOf(email)).includes('donor_change.details'));
    const before = await placesOf(first, last);
    for (const place of [
      'donor.email',
      'donation.donor_name',
      'donation.dedication',
      'donation.comment',
      'registration.attendee_name',
    ])
      assert.ok(before.includes(place), place);

    const form = await owner.open(`${path}/erase`);
    assert.match(form.text, /Will be kept/);
    const wrong = await owner.post(`${path}/erase`, { name: 'Somebody' });
    assert.equal(wrong.status, 400);
    assert.ok(wrong.document.querySelector('[value="Somebody"]'));
    const done = await owner.post(`${path}/erase`, { name: ` ${first}  ${last.toUpperCase()}` });
    assert.match(done.text, /The donor’s data was erased/);
    assert.match(done.text, /Data erased by/);

    assert.deepEqual(await placesOf(first, last, email, corrected), []);
    const after = await donationOf(intentId);
    assert.partialDeepStrictEqual(after, {
      amount_cents: 4200,
      reference: donation.reference,
      refunded_amount_cents: 200,
      contact_id: id,
      paid_at: donation.paid_at,
    });
    const row = await db
      .selectFrom('recurring_plan')
      .selectAll()
      .where('id', '=', plan.id)
      .executeTakeFirstOrThrow();
    assert.partialDeepStrictEqual(row, { status: 'canceled', card_label: null, donor_email: null });
    const atStripe = await stripe.paymentIntents.retrieve(intentId, {}, ACCOUNT);
    assert.equal(atStripe.metadata['reference'], donation.reference);
    const charges = await stripe.charges.list({ payment_intent: intentId }, ACCOUNT);
    const metadata = [atStripe, ...charges.data].map((object) => object.metadata);
    assert.equal(metadata.length, 2);
    assert.doesNotMatch(JSON.stringify(metadata), new RegExp(`${first}|${last}`, 'i'));
    await assert.rejects(stripe.customers.retrieve(row.processor_customer_id, {}, ACCOUNT));
    assert.deepEqual((await stripe.customers.list({ email }, ACCOUNT)).data, []);
    const subscriptions = await stripe.subscriptions.list({ status: 'all' }, ACCOUNT);
    assert.doesNotMatch(JSON.stringify(subscriptions), new RegExp(`${first}|${last}`, 'i'));

    // A later event about the same payment changes its refunds, and brings nothing back.
    await stripe.refunds.create({ payment_intent: intentId, amount: 300 }, ACCOUNT);
    await eventually(async () =>
      (await donationOf(intentId)).refunded_amount_cents === 500 ? true : undefined,
    );
    assert.deepEqual(await placesOf(first, last, email, corrected), []);
  });

  test('keeps what a page has prefilled for somebody with the same name', async () => {
    const { path, first, last } = await liveALife();
    const prefill = { donor_name: `${first} ${last}`, donor_email: `${randomUUID()}@example.org` };
    await api.post('/embed-sessions', token, { prefill });
    await owner.post(`${path}/erase`, { name: `${first} ${last}` });
    assert.deepEqual(await placesOf(first), ['embed_session.prefill']);
    assert.deepEqual(await placesOf(prefill.donor_email), ['embed_session.prefill']);
  });

  test('erases a name that the donor has typed once', async () => {
    const { email, path, first, last } = await liveALife();
    const short = `Zz ${first.slice(0, 9)}.`;
    await pay((await createUnpaid({ donor_name: short, donor_email: email })).intent);
    await eventually(async () => (await rowOf(email))?.status === 'active' || undefined);
    await api.post('/embed-sessions', token, { prefill: { donor_name: short } });
    const { first_name, last_name } = await donorOf(email);
    await owner.post(`${path}/erase`, { name: `${first_name} ${last_name}` });
    assert.deepEqual(await placesOf(short, first, last), []);
  });

  test('is refused for plain members, admins without donors:read and other organizations', async () => {
    const { path, first, last, email } = await liveALife();
    const name = `${first} ${last}`;
    const volunteer = visitor();
    await volunteer.openAs(VOLUNTEER, '/dashboard');
    assert.equal((await volunteer.post(`${path}/erase`, { name })).status, 403);
    await pool.query(
      `update membership set permissions = '{donations:read}' where organization_id = 'org_harbor'
       and person_id = (select id from person where email = $1)`,
      [ADMIN],
    );
    const admin = visitor();
    await admin.openAs(ADMIN, '/dashboard');
    assert.equal((await admin.post(`${path}/erase`, { name })).status, 403);
    assert.equal((await admin.post(`${path}/export`, {})).status, 403);
    const elsewhere = path.replace('org_harbor', 'org_lantern');
    for (const action of ['erase', 'export', 'correct', 'notes'])
      assert.equal((await owner.post(`${elsewhere}/${action}`, { name })).status, 404, action);
    assert.equal((await donorOf(email)).erased_at, null);
  });

  test('keeps the recurring donation of a donor who has a former address now', async () => {
    const donor_email = `${randomUUID()}@example.org`;
    const first = await createActive({ donor_name: 'Wrong Address' });
    const path = `${DONORS}/${(await donorOf(first.email)).id}`;
    const name = { first_name: 'Wrong', last_name: 'Address' };
    await owner.post(`${path}/correct`, { ...name, email: donor_email });
    await owner.post(`${path}/correct`, { ...name, email: `right.${donor_email}` });
    await pay((await createUnpaid({ donor_name: 'Right Owner', donor_email })).intent);
    const plan = await eventually(async () => {
      const row = await rowOf(donor_email);
      return row?.status === 'active' ? row : undefined;
    });
    const done = await owner.post(`${path}/erase`, { name: 'Wrong Address' });
    assert.match(done.text, /The donor’s data was erased/);
    const { processor_subscription_id: id } = plan;
    assert.equal((await stripe.subscriptions.retrieve(id, {}, ACCOUNT)).status, 'active');
    assert.equal((await rowOf(donor_email))?.status, 'active');
  });

  test('needs two-step sign-in where the organization requires it', async () => {
    const { path, first, last, email } = await liveALife();
    const required = (is: boolean) =>
      db
        .updateTable('organization')
        .set({ require_second_factor: is })
        .where('id', '=', 'org_harbor')
        .execute();
    await required(true);
    const page = await owner.post(`${path}/erase`, { name: `${first} ${last}` });
    await required(false);
    assert.equal(page.url.pathname, '/dashboard/account/two-step');
    assert.equal((await donorOf(email)).erased_at, null);
  });

  test('erases nothing while Stripe cannot be reached', async () => {
    const { path, first, last, email } = await liveALife();
    const { processor } = deps;
    const eraseSubscriptionMetadata = processor.eraseSubscriptionMetadata;
    processor.eraseSubscriptionMetadata = () =>
      Promise.reject(new ConnectError('unavailable', 'Stripe is down.'));
    const failed = await owner.post(`${path}/erase`, { name: `${first} ${last}` });
    processor.eraseSubscriptionMetadata = eraseSubscriptionMetadata;
    assert.match(failed.text, /card processor could not be reached/);
    assert.equal((await donorOf(email)).erased_at, null);
    const done = await owner.post(`${path}/erase`, { name: `${first} ${last}` });
    assert.match(done.text, /The donor’s data was erased/);
  });

  test('can be repeated after this server failed, and reads stored responses in pages', async () => {
    const { path, first, last, email } = await liveALife();
    const { rowCount } = await pool.query(
      `insert into idempotency_key (credential_id, key, fingerprint, attempt_id, locked_until, status,
         encrypted_body, expires_at)
       select credential_id, key || n, fingerprint, attempt_id, locked_until, status, encrypted_body,
         expires_at from idempotency_key, generate_series(1, 250) as n
       where encrypted_body is not null and credential_id in (
         select id from api_key where organization_id = 'org_harbor')`,
    );
    assert.ok(rowCount! > 200);
    const name = `${first} ${last}`;
    const { responseEncrypter } = deps;
    const { encrypt } = responseEncrypter;
    responseEncrypter.encrypt = () => Promise.reject(new Error('The server was stopped.'));
    assert.equal((await owner.post(`${path}/erase`, { name })).status, 500);
    responseEncrypter.encrypt = encrypt;
    const done = await owner.post(`${path}/erase`, { name });
    assert.match(done.text, /The donor’s data was erased/);
    assert.deepEqual(await placesOf(first, last, email), []);
  });

  test('asks before it erases without access to Stripe', async () => {
    const setAccount = (processor_account_id: string | null) =>
      db
        .updateTable('organization')
        .set({ processor_account_id })
        .where('id', '=', 'org_harbor')
        .execute();
    const { processor } = deps;
    const { eraseSubscriptionMetadata } = processor;
    const disconnect = () => {
      const cause = new Stripe.errors.StripePermissionError({
        message: 'No access',
        type: 'invalid_request_error',
        code: 'account_invalid',
      });
      const error = new ConnectError('unavailable', 'Stripe is down.', { cause });
      processor.eraseSubscriptionMetadata = () => Promise.reject(error);
    };
    for (const loseAccess of [() => setAccount(null), async () => disconnect()]) {
      const { first, last, email, path, plan } = await liveALife();
      const name = `${first} ${last}`;
      await loseAccess();
      const asked = await owner.post(`${path}/erase`, { name });
      assert.equal(asked.status, 400);
      assert.match(asked.text, /Will stay at Stripe/);
      assert.equal((await donorOf(email)).erased_at, null);
      const done = await owner.post(`${path}/erase`, { name, except_at_stripe: 'on' });
      await setAccount(ACCOUNT.stripeAccount);
      processor.eraseSubscriptionMetadata = eraseSubscriptionMetadata;
      assert.match(done.text, /was erased here. Erase it at Stripe, too/);
      const home = '/dashboard/org_harbor';
      const link = `${home}/plans\\?donor=erased">1 recurring donation of an erased donor is still charged`;
      assert.match((await owner.open(home)).text, new RegExp(link));
      assert.match((await owner.open(`${home}/plans?donor=erased`)).text, new RegExp(plan.id));
      assert.match((await owner.post(`${home}/plans/${plan.id}/cancel`, {})).text, /ended/);
      assert.doesNotMatch((await owner.open(home)).text, /of an erased donor/);
      assert.match(done.text, /, but not at Stripe/);
      assert.deepEqual(await placesOf(first, last, email), []);
    }
  });

  test('asks without access to an account that can have customers of unpaid donations', async () => {
    const setAccounts = (processor_account_id: string | null, removed_account_id: string | null) =>
      db
        .updateTable('organization')
        .set({ processor_account_id, removed_account_id })
        .where('id', '=', 'org_harbor')
        .execute();
    await pool.query(
      `insert into donor (id, organization_id, first_name, email, source)
       values ('dnr_unpaid', 'org_harbor', 'Unpaid', 'unpaid@example.org', 'api')`,
    );
    const path = `${DONORS}/dnr_unpaid/erase`;
    await setAccounts(null, ACCOUNT.stripeAccount);
    const asked = await owner.post(path, { name: 'Unpaid' });
    await setAccounts(null, null);
    const done = await owner.post(path, { name: 'Unpaid' });
    await setAccounts(ACCOUNT.stripeAccount, null);
    assert.match(asked.text, /Will stay at Stripe/);
    assert.match(done.text, /The donor’s data was erased\./);
  });

  test('names a missing permission of the Stripe key, and erases nothing here', async () => {
    const { path, first, last, email } = await liveALife();
    const { processor } = deps;
    const { erasePaymentMetadata } = processor;
    const cause = new Stripe.errors.StripePermissionError({
      message: 'The provided key does not have the required permissions for this endpoint.',
      type: 'invalid_request_error',
    });
    processor.erasePaymentMetadata = () =>
      Promise.reject(new ConnectError('unavailable', 'Refused', { cause }));
    const failed = await owner.post(`${path}/erase`, { name: `${first} ${last}` });
    processor.erasePaymentMetadata = erasePaymentMetadata;
    assert.match(failed.text, /Your Stripe key lacks a permission/);
    assert.doesNotMatch(failed.text, /Will stay at Stripe/);
    assert.equal((await donorOf(email)).erased_at, null);
  });

  test('finds customers at Stripe by each spelling of the address', async () => {
    const typed = `Ana.${randomUUID()}@Example.org`;
    const email = typed.toLowerCase();
    for (const donor_email of [email, typed]) {
      await pay((await createUnpaid({ donor_name: 'Ana Case', donor_email })).intent);
      const plan = await eventually(async () => {
        const row = await rowOf(donor_email);
        return row?.status === 'active' ? row : undefined;
      });
      await eventually(async () => (await donationsOf(plan.id))[0]);
    }
    // As after an attempt that was not paid: no row here names the customer.
    await stripe.customers.create(
      { email: typed, metadata: { organization_id: 'org_harbor' } },
      ACCOUNT,
    );
    const { id } = await donorOf(email);
    const done = await owner.post(`${DONORS}/${id}/erase`, { name: 'Ana Case' });
    assert.match(done.text, /The donor’s data was erased\./);
    assert.deepEqual((await stripe.customers.list({ email: typed }, ACCOUNT)).data, []);
  });

  test('is possible for a donation with a name and without an address', async () => {
    await pool.query(
      `insert into donation (id, organization_id, amount_cents, currency, source, donor_name)
       values ('don_named', 'org_harbor', 700, 'usd', 'api', 'Nameonly Swan')`,
    );
    const donation = '/dashboard/org_harbor/donations/don_named';
    assert.match((await owner.open(donation)).text, /Add to donors/);
    const added = await owner.post(`${donation}/donor`, {});
    assert.match(added.text, /Donor added/);
    assert.doesNotMatch((await owner.open(donation)).text, /Add to donors/);
    const { pathname: path } = added.url;
    assert.equal((await owner.post(`${donation}/donor`, {})).url.pathname, path);
    const empty = await owner.post(`${path}/correct`, { first_name: '', last_name: '', email: '' });
    assert.match(empty.text, /Must not be empty, because there is no email address/);
    const name = { first_name: 'Nameonly', last_name: 'Swann' };
    await owner.post(`${path}/correct`, { ...name, email: '' });
    assert.match((await owner.open(donation)).text, /Send receipt again/);
    assert.match((await owner.open(donation)).text, /Nameonly Swann/);
    await owner.post(`${path}/erase`, { name: 'Nameonly Swann' });
    assert.deepEqual(await placesOf('Nameonly'), []);
    assert.doesNotMatch((await owner.open(donation)).text, /Send receipt again/);
  });

  test('includes all donations of a recurring donation without an address', async () => {
    const plan = { ...planOf('org_harbor'), donor_name: 'Monthly Swan' };
    await db.insertInto('recurring_plan').values(plan).execute();
    await pool.query(
      `insert into donation (id, organization_id, amount_cents, currency, source, donor_name, plan_id)
       select 'don_monthly_' || n, 'org_harbor', 700, 'usd', 'api', 'Monthly Swan', $1
       from generate_series(1, 2) as n`,
      [plan.id],
    );
    const donation = '/dashboard/org_harbor/donations/don_monthly_1';
    const { url } = await owner.post(`${donation}/donor`, {});
    await owner.post(`${url.pathname}/erase`, { name: 'Monthly Swan' });
    assert.deepEqual(await placesOf('Monthly Swan'), []);
  });

  test('is confirmed with a long name, written with other accents', async () => {
    const name = `Zoë ${'van der '.repeat(27)}Berg`;
    await pool.query(
      `insert into donor (id, organization_id, first_name, last_name, source)
       values ('dnr_long', 'org_harbor', $1, $2, 'api')`,
      [name.slice(0, 3), name.slice(4)],
    );
    const done = await owner.post(`${DONORS}/dnr_long/erase`, { name: name.normalize('NFD') });
    assert.match(done.text, /The donor’s data was erased/);
  });

  test('ends a recurring donation that Stripe no longer has', async () => {
    const { id, email } = await createActive({ donor_name: 'Gone Away' });
    await db
      .updateTable('recurring_plan')
      .set({ processor_subscription_id: `sub_${randomUUID()}` })
      .where('id', '=', id)
      .execute();
    const { id: donorId } = await donorOf(email);
    const done = await owner.post(`${DONORS}/${donorId}/erase`, { name: 'Gone Away' });
    assert.match(done.text, /The donor’s data was erased/);
    const row = await db
      .selectFrom('recurring_plan')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    assert.partialDeepStrictEqual(row, { status: 'canceled', donor_email: null });
    assert.ok(row.canceled_at);
  });

  test('a payment of a recurring donation that arrives later has no name or address', async () => {
    const { id, email } = await createActive({ donor_name: 'Late Payer' });
    // The row of the recurring donation is erased while the payment is fetched from Stripe.
    const { processor } = deps;
    const { retrieveSucceededPayment } = processor;
    processor.retrieveSucceededPayment = async (...args) => {
      const payment = await retrieveSucceededPayment(...args);
      await db
        .updateTable('recurring_plan')
        .set({ donor_name: null, donor_email: null })
        .where('id', '=', id)
        .execute();
      return payment;
    };
    await advance('month');
    await advance(2 * 3600); // Stripe charges an invoice an hour after it is created.
    const renewal = await eventually(async () => (await donationsOf(id))[1]);
    processor.retrieveSucceededPayment = retrieveSucceededPayment;
    assert.partialDeepStrictEqual(renewal, {
      donor_name: null,
      donor_email: null,
      contact_id: null,
    });
    assert.ok(await donorOf(email));
  });
});

test('the export contains only what the member may see', async () => {
  const { path } = await liveALife();
  const admin = visitor();
  await admin.openAs(ADMIN, '/dashboard');
  const exportWith = async (...permissions: string[]) => {
    await pool.query(
      `update membership set permissions = $2 where organization_id = 'org_harbor'
       and person_id = (select id from person where email = $1)`,
      [ADMIN, permissions],
    );
    return Object.keys(JSON.parse((await admin.post(`${path}/export`, {})).text) as object);
  };
  const ofDonor = ['exported_at', 'organization_id', 'donor', 'history', 'notes'];
  const ofDonations = [
    'donations',
    'payments',
    'refunds',
    'disputes',
    'recurring_donations',
    'emails',
  ];
  const sorted = (...names: string[]) => names.sort();
  assert.deepEqual(sorted(...(await exportWith('donors:read'))), sorted(...ofDonor));
  assert.deepEqual(
    sorted(...(await exportWith('donors:read', 'donations:read'))),
    sorted(...ofDonor, ...ofDonations),
  );
  assert.deepEqual(
    sorted(...(await exportWith('donors:read', 'registrations:read'))),
    sorted(...ofDonor, 'registrations'),
  );
});

test('the export contains all that is stored about a donor', async () => {
  const { first, last, email, path, donation, id } = await liveALife();
  await pool.query(
    `insert into donation_dispute (id, organization_id, donation_id, processor_dispute_id, amount_cents, status)
     values ('dsp_export', 'org_harbor', $1, 'du_export', 100, 'won')`,
    [donation.id],
  );
  await pool.query(
    `update registration set tax_cents = 42, tax_country = 'US' where attendee_email = $1`,
    [email],
  );
  const file = await owner.post(`${path}/export`, {});
  assert.match(file.headers.get('content-disposition') ?? '', new RegExp(`${id}\\.json`));
  const data = JSON.parse(file.text) as Record<string, Record<string, unknown>[]>;
  assert.partialDeepStrictEqual(data, {
    donor: { email, first_name: first, last_name: last, city: `Town of ${first}` },
    notes: [{ text: `${first} likes tea` }],
    disputes: [{ donation_id: donation.id, amount_cents: 100, status: 'won' }],
    registrations: [{ tax_cents: 42, tax_country: 'US' }],
  });
  assert.ok('ticket_type' in data['registrations']![0]!);
  const { rows: people } = await pool.query<{ name: string }>('select name from person');
  assert.ok(people.every(({ name }) => !file.text.includes(name)));
  assert.ok(data['donations']!.some(({ reference }) => reference === donation.reference));
  for (const list of ['donations', 'payments', 'recurring_donations', 'registrations', 'emails'])
    assert.ok(data[list]!.length > 0, list);
  assert.match((await owner.open(path)).text, /Data exported by/);
});
