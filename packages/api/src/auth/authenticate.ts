import { ConnectError, type ListQuery } from '@connect-embed/contract';
import { parseQueryEarly } from '@connect-embed/contract/hono';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { z } from 'zod';
import { setResponseHeaders } from '../http/response-headers.ts';
import type { Deps, Env } from '../http/env.ts';
import type { ResourceList } from '../resources/lists/list.ts';
import type { SearchFilters } from '../resources/search/search.ts';
import { createCredentialLookup, type AuthResult } from './credential-lookup.ts';
import { applyRateLimit } from './rate-limit.ts';

/**
 * Middleware that finds the credential of a bearer token (spec: Authentication) and enforces its
 * rate limit of 120 requests per minute (spec: Limits). Handlers read the credential from
 * `c.var.credential`.
 *
 * @throws {ConnectError} `rate_limited`; `unauthorized`, with one message for all causes except a
 *   missing header, so that an attacker who guesses tokens learns nothing
 */
export const authenticate = ({ prepare }: Deps) => {
  const findCredential = createCredentialLookup(prepare);
  return createMiddleware<Env>(async (c, next) => {
    if (!c.get('credential')) await authenticateWith(c, (token) => findCredential(token, {}));
    await next();
  });
};

/**
 * Like `authenticate`, but reads the page of a list in the same SQL statement: `c.var.prefetchedPage`.
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

async function authenticateWith(
  c: Context<Env>,
  findCredential: (token: string) => Promise<AuthResult | undefined>,
): Promise<AuthResult> {
  const header = c.req.header('authorization');
  if (!header) {
    throw new ConnectError('unauthorized', 'Authorization: Bearer <token> is missing.', {
      code: 'credential_missing',
    });
  }
  const token = /^Bearer +([\w.-]+) *$/i.exec(header)?.[1];
  const result = token && (await findCredential(token));
  if (!result) {
    throw new ConnectError('unauthorized', 'The token is not valid, has expired or was revoked.');
  }
  const { timeZone } = result.credential;
  // The time zone is a header, because the resources of the specification have no field for it.
  if (timeZone) setResponseHeaders(c, { 'Time-Zone': timeZone });
  c.set('credential', result.credential);
  applyRateLimit(c, result.budget);
  return result;
}
