import { formatMoney, notFound } from '@connect-embed/contract';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Selectable } from 'kysely';
import type { Deps } from '../../../env.ts';
import { readPage } from '../../../db/page.ts';
import type { Database } from '../../../db/schema.ts';
import { isId } from '../../../id.ts';
import { LOCALE } from '../../layout.ts';
import type { DashboardEnv } from '../dashboard.ts';
import { day, frame } from '../frame.ts';
import { badge, empty, facts, pager, table, type Column, type Tone } from '../table.ts';
import { payoutParts } from './payout-parts.ts';
import { askedPage } from './read-list.ts';

type Payout = Selectable<Database['payout']>;

/** Deposits to the organization's bank account, newest first, and what one is made of. */
export const payouts = (deps: Deps) => {
  const { db, cursors } = deps;
  return new Hono<DashboardEnv>()
    .get('/', async (c) => {
      const { place } = c.var;
      const { cursor, page } = askedPage(c, 'payout');
      const select = db.selectFrom('payout').selectAll('payout');
      const { data, next_cursor: next } = await readPage(cursors, page, select, (row) => row);
      const content = html`<p class="quiet">
          Deposits to your bank account, made by the payment processor from what was given.
        </p>
        ${data.length ? table('Payouts', columnsAt(place.path), data) : empty('No payout yet.')}
        ${pager(place.path, { cursor, next })}`;
      return c.html(frame(place, 'Payouts', content));
    })
    .get('/:id', async (c) => {
      const id = c.req.param('id');
      const { organizationId } = c.var.organization;
      const payout =
        isId(id) &&
        (await db
          .selectFrom('payout')
          .selectAll()
          .where('organization_id', '=', organizationId)
          .where('id', '=', id)
          .executeTakeFirst());
      if (!payout) throw notFound('payout', id);
      const list = `/dashboard/${organizationId}/payouts`;
      const place = { ...c.var.place, back: { href: list, text: 'Payouts' } };
      const content = html`<section class="panel" aria-label="The payout">
          ${factsOf(payout)}
        </section>
        ${await payoutParts(deps, c, payout)}`;
      return c.html(frame(place, `Payout of ${amountOf(payout)}`, content));
    });
};

const STATES: Record<string, [string, Tone]> = {
  pending: ['Planned', 'still'],
  in_transit: ['On its way', 'wait'],
  paid: ['Arrived', 'good'],
  failed: ['Came back', 'bad'],
  canceled: ['Cancelled', 'still'],
};

const stateOf = ({ status }: Payout) => badge(...(STATES[status] ?? [status, 'still']));

const amountOf = ({ amount_cents, currency }: Payout) =>
  formatMoney(amount_cents, currency, LOCALE);

const columnsAt = (path: string): Column<Payout>[] => [
  {
    head: 'Arrives',
    as: 'row',
    cell: ({ id, arrival_date }) => html`<a href="${path}/${id}">${day(arrival_date)}</a>`,
  },
  { head: 'Made', cell: ({ created_at }) => day(created_at) },
  { head: 'State', cell: stateOf },
  { head: 'On the statement', cell: ({ statement_descriptor }) => statement_descriptor },
  { head: 'Amount', as: 'number', cell: amountOf },
];

const factsOf = (payout: Payout) =>
  facts([
    ['Amount', amountOf(payout)],
    ['State', stateOf(payout)],
    ['Why it came back', payout.failure_message],
    ['Made', day(payout.created_at)],
    ['Arrives', day(payout.arrival_date)],
    ['On the statement', payout.statement_descriptor],
    ['Description', payout.description],
    ['Payout ID', html`<code>${payout.id}</code>`],
    [
      'Processor ID',
      payout.processor_payout_id && html`<code>${payout.processor_payout_id}</code>`,
    ],
  ]);
