import { ListQuery, type Fund } from '@connect-embed/contract';
import { queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import type { Selectable } from 'kysely';
import type { Deps, Env } from '../app.ts';
import { requireScope } from '../auth/require-scope.ts';
import { readPage } from '../db/page.ts';
import type { Database } from '../db/schema.ts';

/** `GET /funds` (spec: Read endpoints). */
export const funds = ({ db, cursors }: Deps) =>
  new Hono<Env>().get('/', requireScope('reference:read'), queryParams(ListQuery), async (c) => {
    const organizationId = c.var.credential.organization.id;
    const page = { table: 'fund', organizationId, query: c.req.valid('query') } as const;
    return c.json(await readPage(cursors, page, db.selectFrom('fund').selectAll('fund'), toFund));
  });

const toFund = (row: Selectable<Database['fund']>): Fund => ({
  id: row.id,
  object: 'fund',
  name: row.name,
  description: row.description,
  type: row.type as Fund['type'],
  goal_cents: row.goal_cents,
  published: row.published,
  created_at: row.created_at.toISOString(),
});
