import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { ATTACK_UNTIL_HEADER } from '@connect-embed/contract';
import {
  ACCOUNT,
  startManualEventsSandbox,
} from '../../../test-support/app/manual-events-sandbox.ts';
import { composeEmail } from '../../mail/compose-email.ts';
import { loadMailContext } from '../../mail/mail-context.ts';
import { attackUntil } from './attack-mode.ts';

const { db, deps, deliverEvent, post, token, logged } = await startManualEventsSandbox();

beforeEach(async () => {
  await db.deleteFrom('attack_alarm').execute();
  await db.deleteFrom('processor_event').execute();
  await db.deleteFrom('mail').execute();
});

/** Delivers a Stripe event about a declined card. */
const decline = () => deliverStripeEvent('payment_intent.payment_failed');

async function deliverStripeEvent(type: string, organization = 'org_harbor'): Promise<string> {
  const intent = {
    id: `pi_${randomUUID()}`,
    object: 'payment_intent',
    amount: 500,
    currency: 'usd',
    metadata: { organization_id: organization },
    last_payment_error: { code: 'card_declined', message: 'Your card was declined.' },
  };
  const created = Math.floor(Date.now() / 1000);
  const event = { id: `evt_${randomUUID()}`, object: 'event', type, created };
  return await deliverEvent({ ...event, account: ACCOUNT.stripeAccount, data: { object: intent } });
}

async function repeat(count: number, operation: () => Promise<unknown>): Promise<void> {
  for (let i = 0; i < count; i++) await operation();
}

/** Saves the event of a successful payment. */
const success = () =>
  db
    .insertInto('processor_event')
    .values({
      id: `evt_${randomUUID()}`,
      type: 'payment_intent.succeeded',
      organization_id: 'org_harbor',
    })
    .execute();

/** Moves all saved events into the past, because the database's clock cannot be changed. */
async function pass(minutes: number): Promise<void> {
  const earlier = sql`${minutes} * interval '1 minute'`;
  await sql`update processor_event set received_at = received_at - ${earlier}`.execute(db);
  await sql`update attack_alarm set started_at = started_at - ${earlier},
    last_detected_at = last_detected_at - ${earlier}`.execute(db);
}

const alarms = () => db.selectFrom('attack_alarm').selectAll().orderBy('started_at').execute();
const mails = () => db.selectFrom('mail').selectAll().execute();
const isAttacked = async (id = 'org_harbor') => (await attackUntil(db, id)) !== undefined;

describe('the alarm of an attack', () => {
  test('starts with the twentieth decline if most cards are declined, and not before', async () => {
    await repeat(19, decline);
    assert.equal(await isAttacked(), false);
    await decline();
    assert.equal(await isAttacked(), true);
    assert.equal(await isAttacked('org_lantern'), false);
    assert.partialDeepStrictEqual(await alarms(), [
      { organization_id: 'org_harbor', declined_cards: 20, attempted_cards: 20 },
    ]);
    assert.ok(logged.some((line) => line.includes('card testing detected')));
  });

  test('does not start for many declines among many successful cards', async () => {
    await repeat(30, success);
    await repeat(60, decline); // Two of three cards are declined.
    assert.equal(await isAttacked(), false);
  });

  test('does not start for declines that are spread over a day', async () => {
    for (let i = 0; i < 6; i++) {
      await repeat(10, decline);
      await pass(16);
    }
    assert.deepEqual(await alarms(), []);
  });

  test('sends one email to each owner and nobody else', async () => {
    await repeat(40, decline);
    const owners = await db
      .selectFrom('membership')
      .select('person_id')
      .where('organization_id', '=', 'org_harbor')
      .where('role', '=', 'owner')
      .execute();
    const sent = await mails();
    assert.ok(owners.length > 0);
    assert.deepEqual(
      new Set(sent.map(({ details }) => details.person_id)),
      new Set(owners.map(({ person_id }) => person_id)),
    );
    assert.equal(sent.length, owners.length);
    const mailContext = await loadMailContext(db, sent[0]!.id);
    const email =
      mailContext &&
      (await composeEmail(mailContext, {
        from: 'connect@give.example',
        baseUrl: deps.baseUrl,
        manageLinks: deps.manageLinks,
      }));
    assert.match(email?.to.address ?? '', /@/);
    assert.match(email?.subject ?? '', /Stolen cards are being tested .* Harbor Street Food Bank/);
    assert.match(email?.text ?? '', /20 of 20 cards were declined/);
    assert.doesNotMatch(`${email?.subject} ${email?.text}`, /\bgifts?\b|giving/i);
    assert.ok(email?.text.includes(`${deps.baseUrl}/dashboard/org_harbor`));
  });

  test('ends after fifteen minutes without declines; the next attack starts another alarm', async () => {
    await repeat(20, decline);
    const emailsBefore = (await mails()).length;
    await pass(14);
    assert.equal(await isAttacked(), true);
    await pass(2);
    assert.equal(await isAttacked(), false);
    await repeat(20, decline);
    assert.equal(await isAttacked(), true);
    assert.equal((await alarms()).length, 2);
    assert.equal((await mails()).length, 2 * emailsBefore);
  });

  test('is extended by an attack that the checks have slowed down', async () => {
    await repeat(20, decline);
    for (let i = 0; i < 6; i++) {
      await pass(10);
      await repeat(5, decline);
    }
    assert.equal(await isAttacked(), true);
    assert.equal((await alarms()).length, 1);
  });

  test('starts once if several processes handle declines at once', async () => {
    await Promise.all(Array.from({ length: 60 }, decline));
    assert.equal((await alarms()).length, 1);
  });

  test('counts an event that is delivered twice once', async () => {
    const event = {
      id: `evt_${randomUUID()}`,
      object: 'event',
      type: 'payment_intent.payment_failed',
      created: 1,
      data: {
        object: {
          id: 'pi_twice',
          amount: 500,
          currency: 'usd',
          metadata: { organization_id: 'org_harbor' },
        },
      },
    };
    await repeat(30, () => deliverEvent(event));
    assert.equal(await isAttacked(), false);
  });

  test('finds the attempts of the window by an index', async () => {
    // Simulates a busy service: neither the events of other organizations in this period are read nor
    // the earlier events of this organization.
    await sql`insert into processor_event (id, type, organization_id, received_at)
      select 'evt_other_' || n, 'charge.updated', 'org_lantern', now() - n * interval '20 ms'
      from generate_series(1, 20000) n
      union all
      select 'evt_earlier_' || n, 'payment_intent.succeeded', 'org_harbor',
        now() - interval '16 minutes' - n * interval '1 second'
      from generate_series(1, 20000) n`.execute(db);
    await repeat(3, decline);
    await sql`analyze processor_event`.execute(db);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain
      select count(*) from processor_event where organization_id = 'org_harbor'
        and received_at > now() - interval '15 minutes'
        and type in ('payment_intent.payment_failed', 'payment_intent.succeeded') and is_card`.execute(
      db,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    assert.match(plan, /processor_event_attempts/);
    assert.doesNotMatch(plan, /Seq Scan/);
  });
});

describe('POST /payment-intents', () => {
  const createPaymentIntent = () => post('/payment-intents', token, { amount_cents: 2000 });

  test('returns until when an attack is expected to last, only during an attack', async () => {
    assert.equal((await createPaymentIntent()).headers.get(ATTACK_UNTIL_HEADER), null);
    const from = Date.now();
    await repeat(20, decline);
    const attackEndMs = Date.parse(
      (await createPaymentIntent()).headers.get(ATTACK_UNTIL_HEADER) ?? '',
    );
    const startedAt = attackEndMs - 15 * 60_000;
    // The header may contain whole seconds.
    assert.ok(startedAt >= from - 1000 && startedAt <= Date.now() + 1000, String(startedAt - from));
    await pass(16);
    assert.equal((await createPaymentIntent()).headers.get(ATTACK_UNTIL_HEADER), null);
  });
});
