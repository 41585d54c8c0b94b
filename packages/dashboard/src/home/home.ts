import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../pages/deps.ts';
import { isCounted } from '@connect-embed/api/db/counted';
import type { Db } from '@connect-embed/api/db/schema';
import type { Membership } from '@connect-embed/api/users/membership';
import { attackHistory } from './attack.ts';
import { listRefusedSites } from '@connect-embed/api/resources/allowed-sites/site-requests';
import { refusedSites } from '../allowed-sites/site-requests.ts';
import type { DashboardContext, DashboardEnv } from '../pages/env.ts';
import { onTheirWayLine, sumOnTheirWay } from '../donations/on-their-way.ts';
import { donationColumns, selectDonationRows } from '../donations/donation-table.ts';
import { renderPage } from '../pages/render-page.ts';
import { attentionView, loadAttention } from './attention.ts';
import { monthPeriods } from './month-periods.ts';
import { loadComparison, loadMonthTotals } from './month-totals.ts';
import { comparisonView, monthView } from './month-view.ts';
import { empty, table } from '../pages/table.ts';

const MAX_RECENT = 10;

/**
 * Home page of an organization: this month against last month, by form and by fund, recent donations and what needs
 * attention, if the member has `donations:read`.
 */
export const home = ({ db }: Deps) =>
  new Hono<DashboardEnv>().get('/', async (c) => {
    const { pageContext, organization } = c.var;
    const content = organization.permissions.has('donations:read')
      ? await overview(db, c)
      : welcome(organization);
    const page = html`${pageContext.checklist} ${content}`;
    return renderPage(c, { title: organization.organizationName, content: page });
  });

const welcome = ({ role, organizationName }: Membership) =>
  html`<p class="panel">
    You are ${role === 'admin' ? 'an admin' : 'a member'} of ${organizationName}. The menu shows the
    pages you can open. An owner can grant you more permissions.
  </p>`;

async function overview(db: Db, c: DashboardContext) {
  const { organization, pageContext } = c.var;
  const { path } = pageContext;
  const { organizationId, timeZone, currency, role } = organization;
  const periods = monthPeriods(timeZone);
  const [attention, sites, totals, onTheirWay, forms, funds, attacks, recent] = await Promise.all([
    loadAttention(db, organization),
    // Those who can allow them.
    role === 'member' ? [] : listRefusedSites(db, organizationId),
    loadMonthTotals(db, organization, periods),
    sumOnTheirWay(db, organizationId),
    loadComparison(db, organizationId, periods, 'form'),
    loadComparison(db, organizationId, periods, 'fund'),
    attackHistory(db, organization),
    selectDonationRows(db, organizationId)
      .where(isCounted('donation', organizationId))
      .orderBy('donation.created_at', 'desc')
      .orderBy('donation.id', 'desc')
      .limit(MAX_RECENT)
      .execute(),
  ]);
  const hasFunds = funds.some(({ id }) => id !== null);
  return html`${attentionView(attention, path)} ${refusedSites(sites, c)}
    ${monthView(totals, periods, onTheirWayLine(onTheirWay, path))}
    ${comparisonView('form', forms, periods, { path, currency })}
    ${hasFunds ? comparisonView('fund', funds, periods, { path, currency }) : ''}
    <div class="head">
      <h2>Recent donations</h2>
      <a href="${path}/donations">All donations</a>
    </div>
    ${recent.length ? table('Recent donations', donationColumns(`${path}/donations`, timeZone), recent) : empty('No donations yet. The first one will appear here.')}
    ${attacks}`;
}
