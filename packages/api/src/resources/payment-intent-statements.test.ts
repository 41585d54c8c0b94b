import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import {
  DONOR_CONTEXT_HEADER,
  serializeDonorContext,
  type EmbedSession,
} from '@connect-embed/contract';
import { recordStatements } from '../../test-support/app/record-statements.ts';
import { startApi } from '../../test-support/app/start-api.ts';

// The sandbox sends no events, whose statements would be counted too.
const { post, createKey, deps, pool } = await startApi({ sandbox: true, sandboxEvents: false });
const { token } = await createKey(['payments:write']);

const hashOf = (text: string) => Buffer.from(text.padEnd(18, '.')).toString('base64url');

test('a one-time donation takes nine SQL statements and one call to Stripe', async (t) => {
  const terms = { fund_id: 'fund_kitchen', campaign_id: 'camp_winter' };
  const response = await post('/embed-sessions', token, terms);
  const { id } = (await response.json()) as EmbedSession;
  /** Sends a donation as an integrator's server does for a donor. */
  const donate = async () => {
    // Without a proof of work, an address can have one payment intent open.
    const address = hashOf(randomUUID().slice(0, 18));
    const donor = { address, form: hashOf('one form'), proof: 0 };
    const headers = {
      'idempotency-key': randomUUID(),
      [DONOR_CONTEXT_HEADER]: serializeDonorContext(donor),
    };
    const body = { amount_cents: 2000, embed_session_id: id };
    assert.equal((await post('/payment-intents', token, body, headers)).status, 201);
  };
  await donate(); // New connections run statements of their own.

  const create = t.mock.method(deps.processor, 'createPaymentIntent');
  const query = t.mock.method(pool, 'query');
  const [, statements] = await recordStatements(pool, donate);
  assert.equal(create.mock.callCount(), 1);
  const tables = [
    'request_budget', // Credential and rate limit.
    'select "terms"', // The fund and campaign that a repeated request must have, too.
    'insert into "idempotency_key"',
    'embed_session', // With Stripe account, fund, campaign and attack mode.
    'reserve_cards',
    'take_processor_turn',
    'reserved_reference',
    // The call to Stripe.
    'insert into "payment_intent"', // With its reserved cards and attack mode.
    'update "idempotency_key"',
  ];
  assert.equal(statements.length, tables.length, JSON.stringify(statements));
  for (const [index, table] of tables.entries())
    assert.ok(statements[index]!.text.includes(table), table);
  // Planning the joins of these statements takes longer than executing them.
  const prepared = query.mock.calls
    .map(({ arguments: [statement] }) => statement as unknown as { name?: string; text: string })
    .filter(({ name }) => name);
  for (const table of ['request_budget', 'processor_account'])
    assert.ok(
      prepared.some(({ text }) => text.includes(table)),
      `the statement with ${table} is prepared`,
    );
});
