import { formatMoney } from '@connect-embed/contract';
import { Hono } from 'hono';
import { html } from 'hono/html';
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import type { Db } from '../../db/schema.ts';
import type { Membership } from '../../users/membership.ts';
import { LOCALE } from '../layout.ts';
import { attackHistory } from './attack.ts';
import type { DashboardEnv, PageContext } from './env.ts';
import { donationColumns, selectDonationRows } from './donations/donation-table.ts';
import { dashboardPage } from './dashboard-layout.ts';
import { empty, figures, table } from './table.ts';

/** Period of the totals on the home page, in days. */
const PERIOD_DAYS = 30;
const MAX_RECENT = 10;

/**
 * Home page of an organization: totals and recent donations, if the member has `donations:read`.
 */
export const home = ({ db }: Deps) =>
  new Hono<DashboardEnv>().get('/', async (c) => {
    const { pageContext, organization } = c.var;
    const content = organization.permissions.has('donations:read')
      ? await overview(db, pageContext, organization)
      : welcome(organization);
    return c.html(dashboardPage(pageContext, organization.organizationName, content));
  });

const welcome = ({ role, organizationName }: Membership) =>
  html`<p class="panel">
    You are ${role === 'admin' ? 'an admin' : 'a member'} of ${organizationName}. The menu shows the
    pages you can open. An owner can grant you more permissions.
  </p>`;

async function overview(db: Db, { path }: PageContext, organization: Membership) {
  const { organizationId, timeZone } = organization;
  const [totals, attacks, recent] = await Promise.all([
    readTotals(db, organizationId),
    attackHistory(db, organization),
    selectDonationRows(db, organizationId)
      .orderBy('donation.created_at', 'desc')
      .orderBy('donation.id', 'desc')
      .limit(MAX_RECENT)
      .execute(),
  ]);
  return html`<h2>Last ${PERIOD_DAYS} days</h2>
    ${totals.length ? totals.map(totalFigures) : empty(`No donations in the last ${PERIOD_DAYS} days.`)}
    <div class="head">
      <h2>Recent donations</h2>
      <a href="${path}/donations">All donations</a>
    </div>
    ${recent.length ? table('Recent donations', donationColumns(`${path}/donations`, timeZone), recent) : empty('No donations yet. The first one will appear here.')}
    ${attacks}`;
}

const INTERVAL = `${PERIOD_DAYS} days`;

interface Totals {
  currency: string;
  count: number;
  donors: number;
  gross: number;
  refunded: number;
}

/**
 * Loads the totals per currency. A donation is recorded after it is paid, so the condition on
 * `created_at` excludes no row that the condition on `paid_at` includes. The query has both
 * conditions, because only `created_at` has an index.
 */
async function readTotals(db: Db, organizationId: string): Promise<Totals[]> {
  const { rows } = await sql<Record<keyof Totals, string>>`
    select currency, count(*) as count, count(distinct contact_id) as donors,
      sum(amount_cents) as gross, sum(refunded_amount_cents) as refunded
    from donation
    where organization_id = ${organizationId}
      and created_at >= now() - ${INTERVAL}::interval and paid_at >= now() - ${INTERVAL}::interval
    group by currency order by count(*) desc`.execute(db);
  return rows.map(({ currency, ...counts }) => ({
    currency,
    count: Number(counts.count),
    donors: Number(counts.donors),
    gross: Number(counts.gross),
    refunded: Number(counts.refunded),
  }));
}

const totalFigures = ({ currency, count, donors, gross, refunded }: Totals) => {
  const money = (cents: number) => formatMoney(cents, currency, LOCALE);
  return figures([
    ['Gross', money(gross), refunded ? `${money(refunded)} refunded` : ''],
    ['Donations', count.toLocaleString(LOCALE)],
    ['Donors', donors.toLocaleString(LOCALE)],
    ['Average', money(Math.round(gross / count))],
  ]);
};
