import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatDate, type DonationSeries, type DonationSummary } from '@connect-embed/contract';
import { startApi } from '../../test-support/app/start-api.ts';
import type { PageResponse } from '../../test-support/browser/visitor.ts';
import { textOf } from '../../test-support/browser/read-document.ts';
import { composeEmail } from '../mail/compose-email.ts';
import { insertReceipt } from '../mail/queue.ts';
import { loadMailContext } from '../mail/mail-context.ts';
import { DEMO_PEOPLE } from '../users/demo-people.ts';

const api = await startApi();
const { visitor } = api;
const OWNER = DEMO_PEOPLE[0].email;
const HOME = '/dashboard/org_harbor';

/**
 * Zones west and east of UTC, with and without daylight saving time, each with a moment whose date
 * differs from UTC.
 */
const CASES = [
  ['America/New_York', '2026-04-01T03:30:00.000Z', '2026-03', 'Mar 31, 2026', 'March 31, 2026'],
  // After the clock change of March 8 the day begins at 04:00 UTC instead of 05:00.
  ['America/New_York', '2026-03-09T03:59:00.000Z', '2026-03', 'Mar 8, 2026', 'March 8, 2026'],
  ['Pacific/Auckland', '2026-03-31T12:30:00.000Z', '2026-04', 'Apr 1, 2026', 'April 1, 2026'],
  ['Asia/Kolkata', '2026-02-28T18:45:00.000Z', '2026-03', 'Mar 1, 2026', 'March 1, 2026'],
] as const;

describe('a donation near midnight', () => {
  for (const [zone, at, month, day, longDay] of CASES) {
    test(`has the same date everywhere: ${at} in ${zone}`, async () => {
      const { id, contactId } = await donateAt(zone, at);
      const person = visitor();
      await person.openAs(OWNER, HOME);

      const list = await person.open(`${HOME}/donations`);
      assert.ok(timeOf(list, at).startsWith(day), 'list of donations');
      const page = await person.open(`${HOME}/donations/${id}`);
      assert.ok(timeOf(page, at).startsWith(`${day}, `), 'page of the donation');
      const donor = await person.open(`${HOME}/donors/${contactId}`);
      assert.ok(timeOf(donor, at).startsWith(day), 'page of the donor');

      const receipt = await receiptOf(id);
      assert.ok(receipt.text.includes(longDay), 'receipt as text');
      assert.ok(receipt.html.includes(longDay), 'receipt as HTML');

      // A table element formats times in the zone of the response's header.
      const { token } = await api.createKey();
      const table = await tableRead(token, id);
      assert.equal(table.timeZone, zone);
      const format = { timeZone: table.timeZone, locale: 'en-US' };
      assert.equal(formatDate(table.created_at, 'date', format), day);

      await assertMonth(token, month);
    });
  }
});

/** Asserts that the month of the series equals the summary of the same period. */
async function assertMonth(token: string, month: string) {
  const get = async <Body>(path: string) =>
    (await (await api.get(path, token)).json()) as Promise<Body>;
  const series = await get<DonationSeries>('/donations/series?interval=month');
  const step = series.data.find(({ starts_on }) => starts_on === `${month}-01`);
  assert.ok(step, `${month} is in the series`);
  assert.ok(
    step.sums.some(({ currency }) => currency === 'chf'),
    'the donation is in its month',
  );
  const edges = new URLSearchParams({
    created_from: step.created_from,
    created_to: step.created_to,
  });
  const summary = await get<DonationSummary>(`/donations/summary?${edges}`);
  // Only the summary has what is on its way.
  const processing = { processing_count: 0, processing_amount_cents: 0 };
  assert.deepEqual(sumsIn(summary.data, 'chf'), { ...sumsIn(step.sums, 'chf'), ...processing });
}

const sumsIn = (sums: DonationSummary['data'], currency: string) =>
  sums.find((summary) => summary.currency === currency);

/** Inserts the only donation, in a currency of its own, and sets the organization's time zone. */
async function donateAt(zone: string, at: string) {
  await api.pool.query(`update organization set time_zone = $1 where id = 'org_harbor'`, [zone]);
  await api.pool.query(`delete from donation where organization_id = 'org_harbor'`);
  const { rows } = await api.pool.query<{ id: string }>(
    `select id from donor where organization_id = 'org_harbor' limit 1`,
  );
  const contactId = rows[0]!.id;
  const id = `don_${Date.parse(at)}`;
  await api.pool.query(
    `insert into donation (id, organization_id, amount_cents, currency, contact_id, donor_name,
       donor_email, source, paid_at, created_at)
     values ($1, 'org_harbor', 2500, 'chf', $2, 'Ida Wells', 'ida@example.org', 'api', $3, $3)`,
    [id, contactId, at],
  );
  return { id, contactId };
}

const timeOf = ({ document }: PageResponse, at: string) =>
  textOf(document, `time[datetime="${at}"]`)!;

async function receiptOf(donationId: string) {
  await insertReceipt(api.db, 'org_harbor', donationId).execute();
  const { id } = await api.db
    .selectFrom('mail')
    .select('id')
    .where('donation_id', '=', donationId)
    .executeTakeFirstOrThrow();
  const mailContext = await loadMailContext(api.db, id);
  const email = await composeEmail(mailContext!, {
    from: 'gifts@give.example',
    baseUrl: api.deps.baseUrl,
    manageLinks: api.deps.manageLinks,
  });
  return email!;
}

async function tableRead(token: string, id: string) {
  const created = await api.post('/component-sessions', token, { components: ['donations'] });
  const session = (await created.json()) as { token: string };
  const response = await api.get('/donations', session.token);
  const { data } = (await response.json()) as { data: { id: string; created_at: string }[] };
  const { created_at } = data.find((row) => row.id === id)!;
  return { created_at, timeZone: response.headers.get('time-zone')! };
}
