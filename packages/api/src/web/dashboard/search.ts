import { ConnectError, formatMoney, parseMoney } from '@connect-embed/contract';
import { Hono } from 'hono';
import { html } from 'hono/html';
import { filterDonations } from '../../resources/donations/donation-filters.ts';
import { DONATION_SEARCH, withSearch } from '../../resources/search/search.ts';
import type { Html } from '../../lib/html.ts';
import type { Deps } from '../deps.ts';
import { LOCALE } from '../layout.ts';
import { readForm } from '../read-form.ts';
import { donationColumns } from './donations/donation-table.ts';
import { donorName } from './donors/donor-in-path.ts';
import { selectDonors, type Donor } from './donors/donor-query.ts';
import type { DashboardContext, DashboardEnv } from './env.ts';
import { dateElement } from './dashboard-layout.ts';
import {
  decryptSearch,
  encryptSearch,
  normalizeSearch,
  SEARCH_EXPIRED,
} from './lists/encrypted-search.ts';
import { organizationPath, renderPage } from './pages/render-page.ts';
import { empty, table, type Column } from './table.ts';

/** Maximum number of results of each kind. The lists show all. */
const MAX_RESULTS = 10;

/**
 * Dashboard page that searches donations and donors at once: by reference, name, email address, id or
 * amount. The form in the header is submitted by POST, so that no name or address is in a URL; the
 * response redirects to a URL with the encrypted text.
 */
export const search = (deps: Deps) =>
  new Hono<DashboardEnv>()
    .post('/search', async (c) => {
      const { organizationId } = c.var.organization;
      const q = normalizeSearch((await readForm(c))('q'));
      const path = organizationPath(c, '/search');
      if (!q) return c.redirect(path, 303);
      const text = await encryptSearch(deps.searchEncrypter, { organizationId, list: 'all' }, q);
      return c.redirect(`${path}?${new URLSearchParams({ search: text })}`, 303);
    })
    .get('/search', (c) => renderResults(c, deps));

async function renderResults(c: DashboardContext, deps: Deps) {
  const { organizationId, permissions } = c.var.organization;
  const encrypted = c.req.query('search') ?? '';
  const scope = { organizationId, list: 'all' } as const;
  const q = encrypted ? await decryptSearch(deps.searchEncrypter, scope, encrypted) : undefined;
  if (q === undefined) {
    const content = empty('Enter a reference, name, email, donation ID or amount above.');
    return renderPage(c, {
      title: 'Search',
      content,
      ...(encrypted && { flash: SEARCH_EXPIRED }),
    });
  }
  const [donations, byAmount, donors] = await Promise.all([
    permissions.has('donations:read') ? findDonations(deps, organizationId, q) : undefined,
    permissions.has('donations:read') ? findByAmount(c, deps, q) : undefined,
    permissions.has('donors:read') ? findDonors(deps, organizationId, q) : undefined,
  ]);
  const groups = [
    donations && donationGroup(c, 'Donations', donations),
    byAmount && donationGroup(c, `Donations of ${byAmount.text}`, byAmount.rows),
    donors && donorGroup(c, donors),
  ].filter(Boolean);
  const content =
    groups.length > 0
      ? html`${groups}`
      : empty('Nothing found. Check the spelling, or enter only the beginning of a word.');
  return renderPage(c, { title: `Results for “${q}”`, content });
}

const newestDonations = (
  { db }: Pick<Deps, 'db'>,
  organizationId: string,
  query: Parameters<typeof filterDonations>[2],
) =>
  filterDonations(db, organizationId, query)
    .leftJoin('fund', 'fund.id', 'donation.fund_id')
    .selectAll('donation')
    .select('fund.name as fund_name')
    .orderBy('donation.created_at', 'desc')
    .orderBy('donation.id', 'desc')
    .limit(MAX_RESULTS + 1)
    .execute();

type FoundDonation = Awaited<ReturnType<typeof newestDonations>>[number];

const findDonations = (deps: Deps, organizationId: string, q: string) =>
  newestDonations(deps, organizationId, withSearch({ q }, DONATION_SEARCH, { organizationId }));

/** Finds the donations of exactly the entered amount; undefined if the text is not an amount. */
async function findByAmount(c: DashboardContext, deps: Deps, q: string) {
  const { organizationId, currency } = c.var.organization;
  const cents = amountOf(q, currency);
  if (cents === undefined) return undefined;
  const amount = String(cents);
  const query = { amount_from_cents: amount, amount_to_cents: amount, currency };
  const rows = await newestDonations(deps, organizationId, query);
  return { text: formatMoney(cents, currency, LOCALE), rows };
}

/** Reads an amount such as `25`, `$25.50` or `1,250.00`, in cents. */
function amountOf(text: string, currency: string): number | undefined {
  if (!/^\p{Sc}?\s?\d[\d.,]{0,14}$/u.test(text)) return undefined;
  try {
    const cents = parseMoney(text, currency, LOCALE);
    return cents > 0 && cents <= 99_999_999_999 ? cents : undefined;
  } catch (error) {
    if (error instanceof ConnectError) return undefined;
    throw error;
  }
}

const findDonors = ({ db }: Deps, organizationId: string, q: string) =>
  selectDonors(db, organizationId, { q, bounds: {} })
    .orderBy('donor.created_at', 'desc')
    .orderBy('donor.id', 'desc')
    .limit(MAX_RESULTS + 1)
    .execute();

function donationGroup(c: DashboardContext, title: string, rows: FoundDonation[]): Html | '' {
  if (rows.length === 0) return '';
  const path = organizationPath(c, '/donations');
  const columns = donationColumns(path, c.var.organization.timeZone);
  return html`<h2>${title}</h2>
    ${table(title, columns, rows.slice(0, MAX_RESULTS))} ${moreLink(path, 'donations', rows)}`;
}

function donorGroup(c: DashboardContext, rows: Donor[]): Html | '' {
  if (rows.length === 0) return '';
  const path = organizationPath(c, '/donors');
  const columns: Column<Donor>[] = [
    {
      head: 'Name',
      as: 'rowHeader',
      cell: (donor) => html`<a href="${path}/${donor.id}">${donorName(donor)}</a>`,
    },
    { head: 'Email', cell: ({ email }) => email },
    { head: 'City', cell: ({ city }) => city },
    {
      head: 'Since',
      cell: ({ created_at }) => dateElement(created_at, c.var.organization.timeZone),
    },
  ];
  return html`<h2>Donors</h2>
    ${table('Donors', columns, rows.slice(0, MAX_RESULTS))} ${moreLink(path, 'donors', rows)}`;
}

/** Says that there are more results, which the list finds. */
const moreLink = (path: string, name: string, rows: readonly unknown[]) =>
  rows.length > MAX_RESULTS
    ? html`<p class="small muted">
        These are the newest ${MAX_RESULTS}. <a href="${path}">Search all ${name}</a> to see more.
      </p>`
    : '';
