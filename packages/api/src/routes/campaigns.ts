import { ListQuery, type Campaign } from '@connect-embed/contract';
import { queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import type { Selectable } from 'kysely';
import type { Deps, Env } from '../app.ts';
import { requireScope } from '../auth/require-scope.ts';
import { readPage } from '../db/page.ts';
import type { Database } from '../db/schema.ts';

/** `GET /campaigns` (spec: Read endpoints). */
export const campaigns = ({ db, cursors }: Deps) =>
  new Hono<Env>().get('/', requireScope('reference:read'), queryParams(ListQuery), async (c) => {
    const organizationId = c.var.credential.organization.id;
    const page = { table: 'campaign', organizationId, query: c.req.valid('query') } as const;
    return c.json(
      await readPage(cursors, page, db.selectFrom('campaign').selectAll('campaign'), toCampaign),
    );
  });

const toCampaign = (row: Selectable<Database['campaign']>): Campaign => ({
  id: row.id,
  object: 'campaign',
  slug: row.slug,
  name: row.name,
  description: row.description,
  goal_cents: row.goal_cents,
  is_active: row.is_active,
  start_date: row.start_date?.toISOString() ?? null,
  end_date: row.end_date?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
});
