import type { Context } from 'hono';
import type { PageRequest } from '../../../resources/lists/page.ts';
import type { DashboardEnv } from '../env.ts';
import { PAGE_SIZE } from '../page-size.ts';

/** Reads the cursor from the URL and returns the page request for a dashboard list. */
export function pageFromQuery<Table extends PageRequest['table']>(
  c: Context<DashboardEnv>,
  table: Table,
) {
  const cursor = c.req.query('cursor');
  const { organizationId } = c.var.organization;
  const query = { limit: PAGE_SIZE, ...(cursor && { cursor }) };
  return { cursor, page: { table, organizationId, query } };
}
