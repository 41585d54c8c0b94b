import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  ACCOUNT,
  startManualEventsSandbox,
} from '@connect-embed/api/test-support/app/manual-events-sandbox';
import { OWNER, VOLUNTEER } from '@connect-embed/api/test-support/app/start-oauth';
import { Visitor } from '@connect-embed/api/test-support/browser/visitor';
import { textsOf } from '@connect-embed/api/test-support/browser/read-document';

const sandboxApi = await startManualEventsSandbox();

async function donated(paymentMethod?: string) {
  const donation = { amount_cents: 2000, donor_name: 'Ana Ruiz' };
  const intent = await sandboxApi.payDonation(donation, paymentMethod);
  await sandboxApi.deliverEventsOf(intent);
  const { id } = await sandboxApi.donationOf(intent);
  return { intent, path: `/dashboard/org_harbor/donations/${id}` };
}

describe('refunding a donation on its page', () => {
  test('a partial refund is confirmed and shown', async () => {
    const { intent, path } = await donated();
    const owner = new Visitor(sandboxApi.url);
    const page = await owner.openAs(OWNER, path);
    assert.ok(page.text.includes(`${path}/refund`));
    const form = await owner.open(`${path}/refund`);
    assert.ok(form.document.querySelector('[value="20.00"]'));
    const note = form.document.querySelector('[name="note"]');
    assert.equal(note?.getAttribute('maxlength'), '500'); // As the server accepts.
    const fields = {
      returned_before: '0',
      reason: 'duplicate',
      note: 'Called on Monday\r\nby phone',
    };
    const done = await owner.post(`${path}/refund`, { ...fields, amount: '7.50' });
    assert.equal(done.url.pathname, path);
    assert.match(done.text, /Refund of \$7\.50 started/);
    assert.match(done.text, /Partly refunded/);
    const row = await sandboxApi.donationOf(intent);
    assert.equal(row.refunded_amount_cents, 750);
    const request = await sandboxApi.db.selectFrom('refund').selectAll().executeTakeFirst();
    assert.equal(request?.note, 'Called on Monday\nby phone');
  });

  test('keeps the typed amount when it exceeds the remaining balance', async () => {
    const { intent, path } = await donated();
    const owner = new Visitor(sandboxApi.url);
    await owner.openAs(OWNER, path);
    const fields = { returned_before: '0', reason: 'duplicate', amount: '20.01' };
    const refused = await owner.post(`${path}/refund`, fields);
    assert.equal(refused.status, 400);
    assert.match(refused.text, /Must not be greater than the amount left to refund/);
    assert.ok(refused.document.querySelector('[value="20.01"]'));
    assert.equal((await sandboxApi.donationOf(intent)).refunded_amount_cents, 0);
  });

  test('a refund that Stripe canceled is shown as canceled instead of failed', async () => {
    const { intent, path } = await donated('pm_card_pendingRefund');
    const { stripe } = sandboxApi;
    const refund = await stripe.refunds.create({ payment_intent: intent, amount: 500 }, ACCOUNT);
    await stripe.refunds.cancel(refund.id, {}, ACCOUNT);
    await sandboxApi.deliverEventsOf(intent);
    const { document } = await new Visitor(sandboxApi.url).openAs(OWNER, path);
    assert.ok(textsOf(document, '.badge.neutral').includes('Canceled'));
    assert.ok(!textsOf(document, '.badge').includes('Failed'));
  });

  test('is not offered after a lost dispute', async () => {
    const { intent, path } = await donated();
    const { latest_charge: charge } = await sandboxApi.stripe.paymentIntents.retrieve(
      intent,
      {},
      ACCOUNT,
    );
    const { id: dispute } = await sandboxApi.sandbox('/disputes', { charge });
    await sandboxApi.sandbox('/disputes/close', { dispute, outcome: 'lost' });
    await sandboxApi.deliverEventsOf(intent);
    assert.equal((await sandboxApi.donationOf(intent)).dispute_status, 'lost');
    const owner = new Visitor(sandboxApi.url);
    const page = await owner.openAs(OWNER, path);
    assert.ok(!page.text.includes(`${path}/refund`));
    const form = await owner.open(`${path}/refund`);
    assert.match(form.text, /bank has already\s+returned the money/);
    assert.ok(!textsOf(form.document, 'button.danger').includes('Refund donation'));
  });

  test('is offered while the bank only asks, and ends its inquiry if it is of the whole donation', async () => {
    const { intent, path } = await donated('pm_card_createDisputeInquiry');
    await sandboxApi.deliverEventsOf(intent);
    const owner = new Visitor(sandboxApi.url);
    const statusOf = ({ document }: { document: Document }) =>
      textsOf(document, '[aria-label="Disputes"] .badge');
    const page = await owner.openAs(OWNER, path);
    assert.deepEqual(statusOf(page), ['Inquiry']);
    assert.match(page.text, /has taken no money/);
    assert.match((await owner.open(`${path}/refund`)).text, /Only a refund of the whole donation/);
    const reason = 'requested_by_customer';
    const refund = async (amount: string, returned_before: string) => {
      const { text } = await owner.post(`${path}/refund`, { returned_before, reason, amount });
      assert.ok(text.includes(`Refund of $${amount} started`));
      await sandboxApi.deliverEventsOf(intent);
      return statusOf(await owner.open(path));
    };
    assert.deepEqual(await refund('5.00', '0'), ['Inquiry']);
    assert.deepEqual(await refund('15.00', '500'), ['Inquiry closed']);
    assert.equal((await sandboxApi.donationOf(intent)).dispute_status, 'none');
  });

  test('is not offered while the bank has the money', async () => {
    const { intent, path } = await donated('pm_card_createDispute');
    await sandboxApi.deliverEventsOf(intent);
    const owner = new Visitor(sandboxApi.url);
    const page = await owner.openAs(OWNER, path);
    assert.match(page.text, /The money is returned through the dispute/);
    const fields = { returned_before: '0', reason: 'requested_by_customer', amount: '20.00' };
    const refused = await owner.post(`${path}/refund`, fields);
    assert.match(refused.text, /The money is returned through the dispute/);
    assert.equal((await sandboxApi.donationOf(intent)).refunded_amount_cents, 0);
  });

  test('is forbidden for plain members and not found in another organization', async () => {
    const { path } = await donated();
    const volunteer = new Visitor(sandboxApi.url);
    const page = await volunteer.openAs(VOLUNTEER, `${path}/refund`);
    assert.equal(page.status, 403);
    const fields = { returned_before: '0', reason: 'duplicate', amount: '5' };
    assert.equal((await volunteer.post(`${path}/refund`, fields)).status, 403);
    const owner = new Visitor(sandboxApi.url);
    await owner.openAs(OWNER, path);
    const foreignPath = path.replace('org_harbor', 'org_lantern');
    assert.equal((await owner.open(`${foreignPath}/refund`)).status, 404);
  });
});
