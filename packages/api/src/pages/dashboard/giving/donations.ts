import { notFound } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../../../env.ts';
import { readPage } from '../../../db/page.ts';
import { isId } from '../../../id.ts';
import type { DashboardEnv } from '../dashboard.ts';
import { frame } from '../frame.ts';
import { empty, pager } from '../table.ts';
import { donationTable, selectDonationRows } from './donation-table.ts';
import { donationView } from './donation-view.ts';
import { readDonationStory } from './donation-story.ts';
import { askedPage } from './read-list.ts';

/** Donations of an organization, newest first, and everything that is known of one. */
export const donations = ({ db, cursors }: Deps) =>
  new Hono<DashboardEnv>()
    .get('/', async (c) => {
      const { place, organization } = c.var;
      const { cursor, page } = askedPage(c, 'donation');
      const select = selectDonationRows(db, organization.organizationId);
      const { data, next_cursor: next } = await readPage(cursors, page, select, (row) => row);
      const content = html`${
        data.length
          ? donationTable(place.path, 'Donations', data)
          : empty('No donation yet. The first one will be shown here.')
      }
      ${pager(place.path, { cursor, next })}`;
      return c.html(frame(place, 'Donations', content));
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

const listOf = (c: Context<DashboardEnv>) =>
  `/dashboard/${c.var.organization.organizationId}/donations`;
