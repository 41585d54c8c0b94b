import { csvFileName, notFound } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../../../env.ts';
import { readPage } from '../../../db/page.ts';
import { isId } from '../../../id.ts';
import { readForm } from '../../form.ts';
import type { Html } from '../../layout.ts';
import type { DashboardEnv } from '../dashboard.ts';
import { frame, zoneOf, type Notice } from '../frame.ts';
import { empty, pager } from '../table.ts';
import { csvResponse } from './csv-response.ts';
import { donationLines } from './donation-csv.ts';
import { donationForm, readTargets } from './donation-form.ts';
import {
  addressOf,
  readDonationView,
  selectDonations,
  type DonationView,
} from './donation-query.ts';
import { donationTable, selectDonationRows } from './donation-table.ts';
import { readTotals, totalsView } from './donation-totals.ts';
import { EXPIRED, sealSearch, searchText } from './sealed-search.ts';
import { donationView } from './donation-view.ts';
import { readDonationStory } from './donation-story.ts';
import { askedPage } from './read-list.ts';

/** Donations of an organization, newest first, and everything that is known of one. */
export const donations = (deps: Deps) => {
  const { db } = deps;
  return new Hono<DashboardEnv>()
    .get('/', async (c) => {
      const view = await readDonationView(deps, c);
      const targets = await readTargets(db, c.var.organization.organizationId);
      const form = donationForm(listOf(c), view, targets);
      if (view.fields.refused) return c.html(frame(c.var.place, 'Donations', form, REFUSED), 400);
      const content = html`${form} ${await listView(deps, c, view)}`;
      const notice = view.expired ? EXPIRED : c.var.place.notice;
      return c.html(frame(c.var.place, 'Donations', content, notice));
    })
    .post('/search', async (c) => {
      const value = await readForm(c);
      const { organizationId } = c.var.organization;
      const q = searchText(value('q'));
      const list = { organizationId, list: 'donations' } as const;
      const search = q ? await sealSearch(deps.searchEncrypter, list, q) : undefined;
      return c.redirect(addressOf(listOf(c), value, search), 303);
    })
    .get('/export.csv', async (c) => {
      const { organization } = c.var;
      const view = await readDonationView(deps, c);
      // What cannot be read is said beside the form, not in a file.
      if (view.fields.refused || view.expired) {
        return c.redirect(`${listOf(c)}${new URL(c.req.url).search}`, 303);
      }
      const name = csvFileName('donations', organization.organizationName, view.period);
      return csvResponse(c, name, donationLines(db, organization, view.query));
    })
    .get('/:id', async (c) => {
      const id = c.req.param('id');
      const { organizationId } = c.var.organization;
      const donation =
        isId(id) &&
        (await selectDonationRows(db, organizationId)
          .where('donation.id', '=', id)
          .executeTakeFirst());
      if (!donation) throw notFound('donation', id);
      const place = { ...c.var.place, back: { href: listOf(c), text: 'Donations' } };
      const story = await readDonationStory(db, donation);
      const title = `Donation of ${donation.donor_name ?? 'somebody without a name'}`;
      return c.html(frame(place, title, donationView(place, donation, story)));
    });
};

/** The totals of everything that matches, one page of it, and the way to a file of all of it. */
async function listView(deps: Deps, c: Context<DashboardEnv>, view: DonationView): Promise<Html> {
  const { organizationId } = c.var.organization;
  const { params, query } = view;
  const list = listOf(c);
  const { cursor, page } = askedPage(c, 'donation');
  const [totals, { data, next_cursor: next }] = await Promise.all([
    readTotals(deps.db, organizationId, query),
    readPage(
      deps.cursors,
      { ...page, filters: query as Record<string, string> },
      selectDonations(deps.db, organizationId, query),
      (row) => row,
    ),
  ]);
  if (data.length === 0) {
    const isNarrowed = Object.keys(params).length > 0;
    return empty(
      isNarrowed
        ? 'No donation matches. Search for something else, or clear a filter.'
        : 'No donation yet. The first one will be shown here.',
    );
  }
  const file = `${list}/export.csv?${new URLSearchParams(params)}`;
  return html`${totalsView(totals)}
    <div class="head">
      <h2 class="hidden">Donations</h2>
      <a class="button second" href="${file}" download>Export CSV</a>
    </div>
    ${donationTable(list, 'Donations', data, zoneOf(c.var.place))}
    ${pager(list, { cursor, next, filters: view.pageParams })}`;
}

const REFUSED: Notice = {
  kind: 'problem',
  text: 'These filters cannot be applied. Check the fields that are marked.',
};

const listOf = (c: Context<DashboardEnv>) =>
  `/dashboard/${c.var.organization.organizationId}/donations`;
