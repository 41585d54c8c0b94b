import { notFound } from '@connect-embed/contract';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Selectable } from 'kysely';
import type { Deps } from '../../../env.ts';
import { readPage } from '../../../db/page.ts';
import type { Database } from '../../../db/schema.ts';
import { isId } from '../../../id.ts';
import type { DashboardEnv } from '../dashboard.ts';
import { day, frame } from '../frame.ts';
import { empty, facts, pager, table, type Column } from '../table.ts';
import { donationTable, selectDonationRows } from './donation-table.ts';
import { askedPage } from './read-list.ts';

type Donor = Selectable<Database['donor']>;

/** Gifts of one donor on their page; the list of donations has them all. */
const SHOWN = 50;

/** Donors of an organization, newest first, and one with what they gave. */
export const donors = ({ db, cursors }: Deps) =>
  new Hono<DashboardEnv>()
    .get('/', async (c) => {
      const { place } = c.var;
      const { cursor, page } = askedPage(c, 'donor');
      const select = db.selectFrom('donor').selectAll('donor');
      const { data, next_cursor: next } = await readPage(cursors, page, select, (row) => row);
      const content = html`${
        data.length
          ? table('Donors', columnsAt(place.path), data)
          : empty('No donor yet. Whoever gives will be shown here.')
      }
      ${pager(place.path, { cursor, next })}`;
      return c.html(frame(place, 'Donors', content));
    })
    .get('/:id', async (c) => {
      const id = c.req.param('id');
      const { organizationId, permissions } = c.var.organization;
      const home = `/dashboard/${organizationId}`;
      const donor =
        isId(id) &&
        (await db
          .selectFrom('donor')
          .selectAll()
          .where('organization_id', '=', organizationId)
          .where('id', '=', id)
          .executeTakeFirst());
      if (!donor) throw notFound('donor', id);
      const gifts = permissions.has('donations:read')
        ? await selectDonationRows(db, organizationId)
            .where('donation.contact_id', '=', id)
            .orderBy('donation.created_at', 'desc')
            .orderBy('donation.id', 'desc')
            .limit(SHOWN)
            .execute()
        : undefined;
      const place = { ...c.var.place, back: { href: `${home}/donors`, text: 'Donors' } };
      const content = html`<section class="panel" aria-label="The donor">${factsOf(donor)}</section>
        ${
          gifts &&
          html`<h2>Donations</h2>
            ${
              gifts.length
                ? donationTable(`${home}/donations`, 'Donations', gifts)
                : empty('No donation of theirs is known.')
            }
            ${gifts.length === SHOWN ? html`<p class="small quiet">The newest ${SHOWN}.</p>` : ''}`
        }`;
      return c.html(frame(place, nameOf(donor), content));
    });

const nameOf = ({ first_name, last_name, email }: Donor) =>
  [first_name, last_name].filter(Boolean).join(' ') || (email ?? 'No name');

const columnsAt = (path: string): Column<Donor>[] => [
  {
    head: 'Name',
    as: 'row',
    cell: (donor) => html`<a href="${path}/${donor.id}">${nameOf(donor)}</a>`,
  },
  { head: 'E-mail', cell: ({ email }) => email },
  { head: 'Place', cell: ({ city, state }) => [city, state].filter(Boolean).join(', ') || null },
  { head: 'Since', cell: ({ created_at }) => day(created_at) },
];

const factsOf = (donor: Donor) =>
  facts([
    ['E-mail', donor.email],
    ['Phone', donor.phone],
    [
      'Address',
      [donor.city, donor.state, donor.postal_code, donor.country].filter(Boolean).join(', ') ||
        null,
    ],
    ['Since', day(donor.created_at)],
    ['Last changed', day(donor.updated_at)],
    ['Donor ID', html`<code>${donor.id}</code>`],
  ]);
