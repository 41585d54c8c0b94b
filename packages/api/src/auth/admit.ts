import { ConnectError, type ListQuery } from '@connect-embed/contract';
import { parseQueryEarly } from '@connect-embed/contract/hono';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { z } from 'zod';
import { setResponseHeaders } from '../response-headers.ts';
import type { Deps, Env } from '../env.ts';
import type { ResourceList } from '../db/list.ts';
import type { SearchFilters } from '../search/search.ts';
import { openGate, type Admitted } from './gate.ts';
import { answerBudget } from './rate-limit.ts';

/**
 * Finds out who is asking (spec: Authentication), and lets them do their 120 requests in a minute
 * and no more (spec: Limits); the handler finds who it is as `c.var.credential`.
 *
 * @throws {ConnectError} `unauthorized`, with one message for every cause but an absent header:
 * whoever guesses tokens learns nothing from it; `rate_limited`
 */
export const admit = ({ prepare }: Deps) => {
  const gate = openGate(prepare);
  return createMiddleware<Env>(async (c, next) => {
    if (!c.get('credential')) await admitWith(c, (token) => gate(token, {}));
    await next();
  });
};

/**
 * The same in front of a list, whose page is read in the same statement: `c.var.page`.
 *
 * A query that is not valid is left to those whose turn it is to say so, after the scope.
 */
export const admitToList = <Filters extends object>(
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
      const { page } = await admitWith(c, (token) =>
        list.admit(token, query as Parameters<typeof list.admit>[1]),
      );
      c.set('page', page);
    }
    await next();
  });

async function admitWith(
  c: Context<Env>,
  gate: (token: string) => Promise<Admitted | undefined>,
): Promise<Admitted> {
  const header = c.req.header('authorization');
  if (!header) {
    throw new ConnectError('unauthorized', 'Authorization: Bearer <token> is missing.');
  }
  const token = /^Bearer +([\w.-]+) *$/i.exec(header)?.[1];
  const admitted = token && (await gate(token));
  if (!admitted) {
    throw new ConnectError('unauthorized', 'The token is not valid, has expired or was revoked.');
  }
  const { timeZone } = admitted.credential;
  // In a header, for what the specification names has no field for it.
  if (timeZone) setResponseHeaders(c, { 'Time-Zone': timeZone });
  c.set('credential', admitted.credential);
  answerBudget(c, admitted.budget);
  return admitted;
}
