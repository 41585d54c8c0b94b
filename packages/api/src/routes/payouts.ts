import { ListQuery, notFound, type Payout } from '@connect-embed/contract';
import { queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import type { Selectable } from 'kysely';
import type { Deps, Env } from '../app.ts';
import { requireScope } from '../auth/require-scope.ts';
import { readPage } from '../db/page.ts';
import type { Database } from '../db/schema.ts';
import { isId } from '../id.ts';
import { NoQuery } from './no-query.ts';

/** `GET /payouts` and `GET /payouts/{id}` (spec: Read endpoints). */
export const payouts = ({ db, cursors }: Deps) =>
  new Hono<Env>()
    .use(requireScope('payouts:read'))
    .get('/', queryParams(ListQuery), async (c) => {
      const organizationId = c.var.credential.organization.id;
      const page = { table: 'payout', organizationId, query: c.req.valid('query') } as const;
      return c.json(
        await readPage(cursors, page, db.selectFrom('payout').selectAll('payout'), toPayout),
      );
    })
    .get('/:id', queryParams(NoQuery), async (c) => {
      const id = c.req.param('id');
      const row =
        isId(id) &&
        (await db
          .selectFrom('payout')
          .selectAll()
          .where('organization_id', '=', c.var.credential.organization.id)
          .where('id', '=', id)
          .executeTakeFirst());
      if (!row) throw notFound('payout', id);
      return c.json(toPayout(row));
    });

const toPayout = (row: Selectable<Database['payout']>): Payout => ({
  id: row.id,
  object: 'payout',
  amount_cents: row.amount_cents,
  currency: row.currency,
  status: row.status as Payout['status'],
  arrival_date: row.arrival_date.toISOString(),
  created: row.created_at.toISOString(),
  description: row.description,
  statement_descriptor: row.statement_descriptor,
});
