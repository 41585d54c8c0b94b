import type { ListQuery } from '@connect-embed/contract';
import { parseQueryEarly } from '@connect-embed/contract/hono';
import { createMiddleware } from 'hono/factory';
import type { z } from 'zod';
import { authenticateWith } from '../../auth/authenticate.ts';
import type { Env } from '../../http/env.ts';
import type { SearchFilters } from '../search/search.ts';
import type { ResourceList } from './list.ts';

/**
 * Middleware like `authenticate` that also reads the page of a list in the same SQL statement and
 * sets it as `c.var.prefetchedPage`.
 *
 * An invalid query is ignored here. The handler validates it again and reports the error after the
 * scope check.
 */
export const authenticateList = <Filters extends object>(
  list: ResourceList<Filters>,
  schema: z.ZodType<
    ListQuery & {
      [Name in Exclude<keyof Filters, keyof SearchFilters>]?: Filters[Name] | undefined;
    } & { q?: string | undefined; sort?: string | undefined }
  >,
) =>
  createMiddleware<Env>(async (c, next) => {
    const query = c.req.method === 'GET' ? parseQueryEarly(c, schema) : undefined;
    // A search is not read here: the columns it may use depend on the credential's masks, which are
    // not known yet.
    if (query && query.q === undefined) {
      const { page } = await authenticateWith(c, (token) =>
        list.authenticateAndRead(token, query as Parameters<typeof list.authenticateAndRead>[1]),
      );
      c.set('prefetchedPage', page);
    }
    await next();
  });
