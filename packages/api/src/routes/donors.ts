import { ListQuery, notFound, type Donor } from '@connect-embed/contract';
import { queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import type { Deps, Env } from '../env.ts';
import { requireScope } from '../auth/require-scope.ts';
import type { Db } from '../db/database.ts';
import { iso, kind } from '../db/iso.ts';
import { openList } from '../db/list.ts';
import { isId } from '../id.ts';
import { answerText } from '../answer-headers.ts';
import { NoQuery } from './no-query.ts';

export const donorList = (deps: Deps) =>
  openList(deps, { table: 'donor', select: selectDonors, madeAt: 'created_at' });

/** `GET /donors` and `GET /donors/{id}` (spec: Read endpoints). */
export const donors = (deps: Deps) => {
  const list = donorList(deps);
  return new Hono<Env>()
    .use(requireScope('donors:read'))
    .get('/', queryParams(ListQuery), async (c) =>
      answerText(
        c,
        await list(c.get('credential').organization.id, c.req.valid('query'), c.get('page')),
      ),
    )
    .get('/:id', queryParams(NoQuery), async (c) => {
      const id = c.req.param('id');
      const row =
        isId(id) &&
        (await selectDonors(deps.db)
          .where('donor.organization_id', '=', c.get('credential').organization.id)
          .where('donor.id', '=', id)
          .executeTakeFirst());
      if (!row) throw notFound('donor', id);
      return c.json(row satisfies Donor);
    });
};

export const selectDonors = (db: Db) =>
  db
    .selectFrom('donor')
    .select([
      'donor.id',
      kind('donor'),
      'donor.email',
      'donor.first_name',
      'donor.last_name',
      'donor.phone',
      'donor.city',
      'donor.state',
      'donor.postal_code',
      'donor.country',
      'donor.source',
      iso('donor.created_at').as('created_at'),
      iso('donor.updated_at').as('updated_at'),
    ]);
