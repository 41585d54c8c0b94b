import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApi } from '@connect-embed/api/test-support/app/start-api';
import {
  attributesOf,
  readRows,
  textsOf,
} from '@connect-embed/api/test-support/browser/read-document';
import { DEMO_PEOPLE } from '@connect-embed/api/users/demo-people';

const api = await startApi();
const HOME = '/dashboard/org_harbor';
const person = api.visitor();
await person.openAs(DEMO_PEOPLE[0]!.email, HOME);

await api.pool.query(
  `update organization set time_zone = 'America/New_York', live_since = now() where id = 'org_harbor'`,
);
await api.pool.query(
  `insert into donation (id, organization_id, amount_cents, currency, source, donor_name, reference, payment_method,
     livemode, created_at, disputed_amount_cents) values
   ('don_card', 'org_harbor', 10000, 'usd', 'api', 'Cara Card', 'CARD-CARD', 'card', true, '2024-05-01T12:00:00Z', 10000),
   ('don_debit', 'org_harbor', 8000, 'eur', 'api', 'Dana Debit', 'DEBT-DEBT', 'sepa_debit', true, '2024-05-02T12:00:00Z', 8000),
   ('don_asked', 'org_harbor', 4000, 'usd', 'api', 'Alma Asked', 'ASKD-ASKD', 'card', true, '2024-05-03T12:00:00Z', 0),
   ('don_test', 'org_harbor', 5000, 'usd', 'api', 'Tess Test', 'TEST-TEST', 'card', false, '2024-05-03T12:00:00Z', 0)`,
);
await api.pool.query(
  `insert into refund (id, organization_id, donation_id, amount_cents, status, processor_refund_id, idempotency_key,
     reason, note, failure_reason, created_at) values
   ('ref_new', 'org_harbor', 'don_card', 2500, 'succeeded', 're_new', null, 'duplicate', 'Called', null, '2024-07-01T03:30:00Z'),
   ('ref_old', 'org_harbor', 'don_debit', 800, 'submitted', 're_old', null, null, null, null, '2024-06-02T12:00:00Z'),
   ('ref_failed', 'org_harbor', 'don_card', 300, 'failed', 're_failed', null, null, null, 'canceled', '2024-06-01T12:00:00Z'),
   ('ref_unsent', 'org_harbor', 'don_card', 200, 'requested', null, 'key_1', null, null, null, '2024-06-03T12:00:00Z'),
   ('ref_test', 'org_harbor', 'don_test', 100, 'succeeded', 're_test', null, null, null, null, '2024-06-04T12:00:00Z')`,
);
await api.pool.query(
  `insert into donation_dispute (id, organization_id, donation_id, processor_dispute_id, amount_cents, status, reason,
     evidence_due_at, created_at) values
   ('dis_card', 'org_harbor', 'don_card', 'dp_card', 10000, 'open', 'fraudulent', '2024-07-20T12:00:00Z', '2024-07-02T12:00:00Z'),
   ('dis_debit', 'org_harbor', 'don_debit', 'dp_debit', 8000, 'lost', 'general', '2024-07-20T12:00:00Z', '2024-06-10T12:00:00Z'),
   ('dis_asked', 'org_harbor', 'don_asked', 'dp_asked', 4000, 'inquiry', 'general', '2024-08-20T12:00:00Z', '2024-08-02T12:00:00Z')`,
);

const JUNE = 'from=2024-06-01&to=2024-06-30';

const rowsOf = async (path: string, label: string) => {
  const { document } = await person.open(`${HOME}${path}`);
  const table = document.querySelector(`[aria-label="${label}"][role="region"]`);
  return table ? readRows(table).slice(1) : [];
};

/** The lines of an export, whose cells have no quotes here. */
const linesOf = async (path: string) =>
  (await person.open(`${HOME}${path}`)).text
    .split('\r\n')
    .filter(Boolean)
    .map((line) => line.split(','));

describe('the list of refunds', () => {
  test('has those of a period by their own date, in the time zone of the organization', async () => {
    assert.deepEqual(await rowsOf(`/donations/refunds?${JUNE}`, 'Refunds'), [
      ['Cara Card', 'Jun 30, 2024', 'Refunded', 'Duplicate', 'CARD-CARD', '$25.00'],
      ['Dana Debit', 'Jun 2, 2024', 'Pending', '–', 'DEBT-DEBT', '€8.00'],
      ['Cara Card', 'Jun 1, 2024', 'Canceled', 'Canceled', 'CARD-CARD', '$3.00'],
    ]);
  });

  test('is filtered by status, and lists tests only if asked', async () => {
    const named = async (query: string) =>
      (await rowsOf(`/donations/refunds?${JUNE}&${query}`, 'Refunds')).map(([name]) => name);
    assert.deepEqual(await named('status=pending'), ['Dana Debit']);
    assert.deepEqual(await named('status=failed'), ['Cara Card']);
    assert.deepEqual(await named('mode=test'), ['Tess Test']);
    assert.equal((await person.open(`${HOME}/donations/refunds?status=none`)).status, 400);
  });

  test('is exported with the same filters', async () => {
    const [head, ...lines] = await linesOf(
      `/donations/refunds/export.csv?${JUNE}&status=succeeded`,
    );
    assert.deepEqual(head!.slice(1), [
      ...['Created (America/New_York)', 'Status', 'Currency', 'Amount', 'Donation ID', 'Reference'],
      ...['Donor', 'Reason', 'Failure reason', 'Note', 'Stripe refund', 'Livemode'],
    ]);
    assert.deepEqual(lines, [
      [
        ...['ref_new', '2024-06-30 23:30:00', 'Refunded', 'USD', '25.00', 'don_card', 'CARD-CARD'],
        ...['Cara Card', 'duplicate', '', 'Called', 're_new', 'yes'],
      ],
    ]);
  });
});

describe('the list of disputes', () => {
  test('has those of a period by their own date; a debit needs no response', async () => {
    const list = await rowsOf('/donations/disputes?from=2024-06-01&to=2024-07-31', 'Disputes');
    assert.deepEqual(list, [
      ['Cara Card', 'Jul 2, 2024', 'Open', 'Fraudulent', 'Jul 20, 2024', '$100.00'],
      ['Dana Debit', 'Jun 10, 2024', 'Lost', 'No reason given', '–', '€80.00'],
    ]);
    const [, ...lines] = await linesOf(`/donations/disputes/export.csv?${JUNE}`);
    assert.deepEqual(
      lines.map((line) => [line[0], line[4], line[9], line[10]]),
      [['dis_debit', '80.00', '', 'dp_debit']],
    );
  });

  test('tells inquiries, which took no money, from open disputes, also in its filter', async () => {
    const statusesOf = async (query: string) =>
      (await rowsOf(`/donations/disputes?${query}`, 'Disputes')).map((row) => row[2]);
    assert.deepEqual(await statusesOf(''), ['Inquiry', 'Open', 'Lost']);
    assert.deepEqual(await statusesOf('status=inquiry'), ['Inquiry']);
    assert.deepEqual(await statusesOf('status=open'), ['Open']);
  });
});

test('the list of donations links those of refunds and disputes', async () => {
  const { document } = await person.open(`${HOME}/donations`);
  const links = document.querySelector('[aria-label="Donations, refunds and disputes"]')!;
  assert.deepEqual(textsOf(links, 'a'), ['Donations', 'Refunds', 'Disputes']);
  for (const href of attributesOf(links, 'a', 'href'))
    assert.equal((await person.open(href)).status, 200);
});
