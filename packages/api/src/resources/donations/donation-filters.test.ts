import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ALL_SCOPES, DonationSummary, type Donation, type List } from '@connect-embed/contract';
import { readError, startApi } from '../../../test-support/app/start-api.ts';

const { get, post, createKey } = await startApi();
const { token } = await createKey();

async function listAll(query: string): Promise<Donation[]> {
  const found: Donation[] = [];
  let cursor: string | null = null;
  do {
    const cursorQuery: string = cursor ? `&cursor=${cursor}` : '';
    const response = await get(`/donations?limit=100&${query}${cursorQuery}`, token);
    const page = (await response.json()) as List<Donation>;
    found.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found;
}

const allDonations = await listAll('');
const middle = allDonations[Math.floor(allDonations.length / 2)]!.created_at;

const inPayout = allDonations.find(({ payout_id, recurring }) => payout_id && !recurring)!;

const FILTERS: [string, (donation: Donation) => boolean][] = [
  [`created_from=${middle}`, ({ created_at }) => created_at >= middle],
  [`created_to=${middle}`, ({ created_at }) => created_at < middle],
  ['fund_id=fund_meals', ({ fund_id }) => fund_id === 'fund_meals'],
  ['campaign_id=camp_winter', ({ campaign_id }) => campaign_id === 'camp_winter'],
  ['recurring=true', ({ recurring }) => recurring],
  ['recurring=false', ({ recurring }) => !recurring],
  ['refund_status=full', ({ refund_status }) => refund_status === 'full'],
  ['dispute_status=open', ({ dispute_status }) => dispute_status === 'open'],
  ['amount_from_cents=10000', ({ amount_cents }) => amount_cents >= 10_000],
  ['amount_to_cents=2500', ({ amount_cents }) => amount_cents <= 2500],
  [
    'amount_from_cents=2500&amount_to_cents=5000',
    ({ amount_cents }) => amount_cents >= 2500 && amount_cents <= 5000,
  ],
  ['payment_method=us_bank_account', (donation) => donation.payment_method === 'us_bank_account'],
  ['card_brand=amex', ({ card_brand }) => card_brand === 'amex'],
  [`payout_id=${inPayout.payout_id}`, ({ payout_id }) => payout_id === inPayout.payout_id],
  [`q=${inPayout.id}`, ({ id }) => id === inPayout.id],
  [`q=${inPayout.reference.toLowerCase()}`, ({ id }) => id === inPayout.id],
  [
    `q=${inPayout.donor_email}&recurring=false`,
    (donation) => donation.donor_email === inPayout.donor_email && !donation.recurring,
  ],
  [
    `refund_status=none&recurring=false&created_from=${middle}`,
    (donation) =>
      donation.refund_status === 'none' && !donation.recurring && donation.created_at >= middle,
  ],
];

test('a donation has the name of its campaign, in the list and by id', async () => {
  const { id } = allDonations.find(({ campaign_id }) => campaign_id === 'camp_winter')!;
  assert.ok(
    allDonations.every(
      ({ campaign_id: campaignId, campaign_name: name }) =>
        (campaignId === null) === (name === null),
    ),
  );
  const donation = (await (await get(`/donations/${id}`, token)).json()) as Donation;
  assert.equal(donation.campaign_name, 'A Warm Winter');
});

describe('GET /donations with filters', () => {
  for (const [query, matches] of FILTERS) {
    test(`returns and sums exactly the donations that match ${query}`, async () => {
      const expected = allDonations.filter(matches);
      assert.ok(expected.length > 0, 'the demo data has some');
      assert.deepEqual(await listAll(query), expected);
      const response = await get(`/donations/summary?${query}`, token);
      const { data } = DonationSummary.strict().parse(await response.json());
      const sum = (field: 'amount_cents' | 'refunded_amount_cents') =>
        expected.reduce((total, donation) => total + donation[field], 0);
      assert.partialDeepStrictEqual(data, [
        {
          currency: 'usd',
          count: expected.length,
          gross_cents: sum('amount_cents'),
          refunded_cents: sum('refunded_amount_cents'),
        },
      ]);
    });
  }

  test('accepts a cursor only with the same filters', async () => {
    const response = await get('/donations?limit=1&recurring=false', token);
    const { next_cursor } = (await response.json()) as List<Donation>;
    const other = await get(`/donations?limit=1&recurring=true&cursor=${next_cursor}`, token);
    assert.match(await readError(other), /^400 invalid_request cursor /);
  });

  for (const query of [
    'created_from=yesterday',
    'created_to=2026-13-01T00:00:00Z',
    'created_from=0000-01-01T00:00:00Z',
    'created_to=2026-01-01T00:00:00%2B23:59',
    'created_to=2026-01-01T00:00:00-16:00',
    'fund_id=',
    'campaign_id=%00',
    'recurring=yes',
    'refund_status=some',
    'dispute_status=lost,won',
    'amount_from_cents=1.5',
    'amount_to_cents=-1',
    'payment_method=Card',
    'card_brand=',
    'payout_id=%00',
    'q=',
    'q=%00',
    'sort=fund_name',
  ]) {
    test(`rejects ${query}, and names it`, async () => {
      for (const path of ['/donations', '/donations/summary']) {
        const error = await readError(await get(`${path}?${query}`, token));
        assert.match(error, new RegExp(`^400 invalid_request ${query.split('=')[0]} `), path);
      }
    });
  }

  test('accepts every time zone offset, and the first day of year 1', async () => {
    for (const time of ['2026-01-01T00:00:00%2B14:00', '0001-01-01T00:00:00-15:59']) {
      assert.equal((await get(`/donations?created_from=${time}`, token)).status, 200, time);
    }
  });

  test('sums for a component session of donations, and for no other', async () => {
    const open = async (components: string[]) => {
      const response = await post('/component-sessions', ALL_SCOPES, { components });
      return ((await response.json()) as { token: string }).token;
    };
    assert.equal((await get('/donations/summary', await open(['donations']))).status, 200);
    const other = await get('/donations/summary', await open(['donors']));
    assert.match(await readError(other), /^403 insufficient_scope /);
  });
});
