import { html } from 'hono/html';
import { readPage } from '@connect-embed/api/resources/lists/page';
import type { FilterValues } from '@connect-embed/api/resources/lists/list-definition';
import type { SearchFilters } from '@connect-embed/api/resources/search/search';
import type { Html } from '@connect-embed/api/lib/html';
import type { Deps } from '../pages/deps.ts';
import type { DashboardContext } from '../pages/env.ts';
import { listView } from '../pages/list.ts';
import { organizationPath, renderPage } from '../pages/render-page.ts';
import { empty, table } from '../pages/table.ts';
import {
  firstOnTheirWayColumns,
  onTheirWayColumns,
  onTheirWayTexts,
  paymentsUnderWay,
  returnedColumns,
  RETURNED_DAYS,
  selectOnTheirWay,
  selectReturned,
  sumOnTheirWay,
} from './on-their-way.ts';

/** Rows in the section of the donation list. The page with all is linked. */
const SECTION_ROWS = 5;
/** Maximum number of payments of each kind that a search shows, the newest. */
const MAX_FOUND = 25;
/** Maximum number of returned payments on the page. */
const MAX_RETURNED = 100;

/** Renders the page with all payments on their way, and those that the bank returned. */
export async function renderOnTheirWay(c: DashboardContext, { db, cursorEncrypter }: Deps) {
  const { organizationId, timeZone } = c.var.organization;
  const organization = organizationPath(c, '');
  const select = selectOnTheirWay(db, organizationId);
  const [sums, list, returned] = await Promise.all([
    sumOnTheirWay(db, organizationId),
    listView(c, {
      label: 'On their way',
      path: organizationPath(c, '/donations/on-their-way'),
      table: 'payment_intent',
      read: (page) => readPage(cursorEncrypter, page, select, (row) => row),
      columns: onTheirWayColumns(organization, timeZone),
      empty: 'Nothing is on its way.',
    }),
    selectReturned(db, organizationId).limit(MAX_RETURNED).execute(),
  ]);
  const { count, amounts } = onTheirWayTexts(sums);
  return renderPage(c, {
    title: 'Donations on their way',
    backLink: { href: organizationPath(c, '/donations'), text: 'Donations' },
    content: html`<p class="muted">
        The donors have confirmed these donations, and their banks take a few days to transfer the
        money. Each becomes a donation, with a receipt, when its money arrives. Until then it is in
        no total and no goal.
      </p>
      ${sums.length > 0 ? html`<p><strong>${count}, ${amounts}</strong></p>` : ''} ${list}
      <h2>Returned by the bank</h2>
      <p class="muted">
        The bank did not pay, and the donors were not charged. An email asked them to try again. The
        last ${RETURNED_DAYS} days are listed.
      </p>
      ${
        returned.length > 0
          ? table('Returned by the bank', returnedColumns(organization, timeZone), returned)
          : empty('No payment was returned.')
      }`,
  });
}

/** Renders the payments on their way and the returned ones that a search of donations finds. */
export async function searchOnTheirWay(
  c: DashboardContext,
  { db }: Deps,
  search: FilterValues<SearchFilters>,
): Promise<Html> {
  const { organizationId, timeZone } = c.var.organization;
  const [onTheirWay, returned] = await Promise.all([
    selectOnTheirWay(db, organizationId, search)
      .orderBy('payment_intent.created_at', 'desc')
      .limit(MAX_FOUND)
      .execute(),
    selectReturned(db, organizationId, search).limit(MAX_FOUND).execute(),
  ]);
  return paymentsUnderWay(onTheirWay, returned, { path: organizationPath(c, ''), timeZone });
}

/**
 * Renders the payments on their way for the page of all donations, those that are expected first; empty if
 * nothing is on its way and nothing was returned.
 */
export async function onTheirWaySection(c: DashboardContext, { db }: Deps): Promise<Html | ''> {
  const { organizationId, timeZone } = c.var.organization;
  const organization = organizationPath(c, '');
  const [sums, rows, returned] = await Promise.all([
    sumOnTheirWay(db, organizationId),
    selectOnTheirWay(db, organizationId)
      .orderBy('payment_intent.expected_at')
      .orderBy('payment_intent.id')
      .limit(SECTION_ROWS)
      .execute(),
    selectReturned(db, organizationId).limit(1).execute(),
  ]);
  const all = organizationPath(c, '/donations/on-their-way');
  if (sums.length === 0)
    return returned.length > 0
      ? html`<p class="small"><a href="${all}">Payments that the bank returned</a></p>`
      : '';
  const { count, amounts } = onTheirWayTexts(sums);
  return html`<div class="on-their-way">
    <div class="head">
      <h2>On their way</h2>
      <a href="${all}"
        >${returned.length > 0 ? 'All, and those the bank returned' : 'All on their way'}</a
      >
    </div>
    <p class="muted">${count}, ${amounts}. Not counted below until the money arrives.</p>
    ${table('On their way', firstOnTheirWayColumns(organization, timeZone), rows)}
  </div>`;
}
