import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ALL_SCOPES } from '@connect-embed/contract';
import { ACCOUNT, startManualEventsSandbox } from '../../test-support/app/manual-events-sandbox.ts';
import { recordStatements, type Statement } from '../../test-support/app/record-statements.ts';
import { heldScopes } from '../users/membership.ts';
import { refundDonation } from './refund-donation.ts';

const sandboxApi = await startManualEventsSandbox();
const { deps, stripe, payDonation, eventsOf, deliverEvent, deliverEventsOf, donationOf } =
  sandboxApi;

/** Counts the statements that read rows of a table, by the table. */
function countReads(statements: readonly Statement[]) {
  const reads = (table: string) =>
    statements.filter(({ text }) => new RegExp(`(from|join) "?${table}"?( |$)`, 'i').test(text))
      .length;
  return {
    organization: reads('organization'),
    payment_intent: reads('payment_intent'),
    donation: reads('donation'),
  };
}

async function donate() {
  const intent = await payDonation({ amount_cents: 2000 });
  await deliverEventsOf(intent);
  return { intent, id: (await donationOf(intent)).id };
}

describe('statements that read a payment', () => {
  test('a Stripe event reads each row of a recorded payment once', async () => {
    const { intent } = await donate();
    await stripe.refunds.create({ payment_intent: intent, amount: 500 }, ACCOUNT);
    const refunded = (await eventsOf(intent)).find(({ type }) => type === 'charge.refunded')!;
    const [outcome, statements] = await recordStatements(sandboxApi.pool, () =>
      deliverEvent(refunded),
    );
    assert.equal(outcome, 'recorded');
    assert.deepEqual(countReads(statements), { organization: 1, payment_intent: 1, donation: 1 });
  });

  test('a new donation is written once, and its refunds and disputes are not read', async () => {
    await donate(); // New connections run statements of their own.
    const intent = await payDonation({ amount_cents: 2000 });
    const paid = (await eventsOf(intent)).find(({ type }) => type === 'payment_intent.succeeded')!;
    const [outcome, statements] = await recordStatements(sandboxApi.pool, () => deliverEvent(paid));
    assert.equal(outcome, 'recorded');
    const texts = statements.map(({ text }) => text);
    assert.ok(texts.some((text) => text.includes('insert into "donation"')));
    assert.deepEqual(
      texts.filter((text) => /update "donation"|"refund"|"donation_dispute"/.test(text)),
      [],
    );
  });

  test('a repeated event about a payment reads each row once', async () => {
    const { intent } = await donate();
    const paid = (await eventsOf(intent)).find(({ type }) => type === 'payment_intent.succeeded')!;
    const again = { ...paid, id: `${paid.id}_again` };
    const [outcome, statements] = await recordStatements(sandboxApi.pool, () =>
      deliverEvent(again),
    );
    assert.equal(outcome, 'duplicate');
    // `endPaidReservation` and the guard of card testing are not part of recording a payment.
    const own = statements.filter(({ text }) => !text.includes('card_reservation'));
    assert.deepEqual(countReads(own), { organization: 1, payment_intent: 1, donation: 1 });
  });

  test('a refund reads the donation once', async () => {
    const { id } = await donate();
    const member = {
      ...{ organizationId: 'org_harbor', organizationName: 'Harbor', timeZone: 'UTC' },
      ...{ role: 'owner' as const, permissions: heldScopes('owner', ALL_SCOPES) },
      personId: 'usr_1',
    };
    const [, statements] = await recordStatements(sandboxApi.pool, () =>
      refundDonation(deps, member, {
        ...{ donationId: id, amountCents: 700, reason: 'duplicate' as const, note: null },
        refundedBeforeCents: 0,
      }),
    );
    assert.equal(countReads(statements).donation, 1);
  });
});
