import { ListQuery, notFound, type Donor } from '@connect-embed/contract';
import { queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import type { Selectable } from 'kysely';
import type { Deps, Env } from '../app.ts';
import { requireScope } from '../auth/require-scope.ts';
import { readPage } from '../db/page.ts';
import type { Database } from '../db/schema.ts';
import { isId } from '../id.ts';
import { NoQuery } from './no-query.ts';

/** `GET /donors` and `GET /donors/{id}` (spec: Read endpoints). */
export const donors = ({ db, cursors }: Deps) =>
  new Hono<Env>()
    .use(requireScope('donors:read'))
    .get('/', queryParams(ListQuery), async (c) => {
      const organizationId = c.var.credential.organization.id;
      const page = { table: 'donor', organizationId, query: c.req.valid('query') } as const;
      return c.json(
        await readPage(cursors, page, db.selectFrom('donor').selectAll('donor'), toDonor),
      );
    })
    .get('/:id', queryParams(NoQuery), async (c) => {
      const id = c.req.param('id');
      const row =
        isId(id) &&
        (await db
          .selectFrom('donor')
          .selectAll()
          .where('organization_id', '=', c.var.credential.organization.id)
          .where('id', '=', id)
          .executeTakeFirst());
      if (!row) throw notFound('donor', id);
      return c.json(toDonor(row));
    });

const toDonor = (row: Selectable<Database['donor']>): Donor => ({
  id: row.id,
  object: 'donor',
  email: row.email,
  first_name: row.first_name,
  last_name: row.last_name,
  phone: row.phone,
  city: row.city,
  state: row.state,
  postal_code: row.postal_code,
  country: row.country,
  source: row.source,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
