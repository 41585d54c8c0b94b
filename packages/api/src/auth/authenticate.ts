import { ConnectError, type ListQuery } from '@connect-embed/contract';
import { parseQueryEarly } from '@connect-embed/contract/hono';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { z } from 'zod';
import { setResponseHeaders } from '../response-headers.ts';
import type { Deps, Env } from '../env.ts';
import type { ResourceList } from '../db/list.ts';
import type { SearchFilters } from '../search/search.ts';
import { createCredentialLookup, type AuthResult } from './credential-lookup.ts';
import { applyRateLimit } from './rate-limit.ts';

/**
 * Finds out who is asking (spec: Authentication), and lets them do their 120 requests in a minute
 * and no more (spec: Limits); the handler finds who it is as `c.var.credential`.
 *
 * @throws {ConnectError} `unauthorized`, with one message for every cause but an absent header:
 * whoever guesses tokens learns nothing from it; `rate_limited`
 */
export const authenticate = ({ prepare }: Deps) => {
  const findCredential = createCredentialLookup(prepare);
  return createMiddleware<Env>(async (c, next) => {
    if (!c.get('credential')) await authenticateWith(c, (token) => findCredential(token, {}));
    await next();
  });
};

/**
 * The same in front of a list, whose page is read in the same statement: `c.var.page`.
 *
 * A query that is not valid is left to those whose turn it is to say so, after the scope.
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
    // What a search may look at depends on the credential's masks, which are not known yet.
    if (query && query.q === undefined) {
      const { page } = await authenticateWith(c, (token) =>
        list.admit(token, query as Parameters<typeof list.admit>[1]),
      );
      c.set('page', page);
    }
    await next();
  });

async function authenticateWith(
  c: Context<Env>,
  findCredential: (token: string) => Promise<AuthResult | undefined>,
): Promise<AuthResult> {
  const header = c.req.header('authorization');
  if (!header) {
    throw new ConnectError('unauthorized', 'Authorization: Bearer <token> is missing.');
  }
  const token = /^Bearer +([\w.-]+) *$/i.exec(header)?.[1];
  const result = token && (await findCredential(token));
  if (!result) {
    throw new ConnectError('unauthorized', 'The token is not valid, has expired or was revoked.');
  }
  const { timeZone } = result.credential;
  // In a header, for what the specification names has no field for it.
  if (timeZone) setResponseHeaders(c, { 'Time-Zone': timeZone });
  c.set('credential', result.credential);
  applyRateLimit(c, result.budget);
  return result;
}
