import { CreateFormSession, type FormSession } from '@connect-embed/contract';
import { jsonBody, queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import type { Deps, Env } from '../app.ts';

/** The form of a page that names none. */
const DEFAULT_FORM = 'default';

/**
 * `POST /embed-sessions` opens a form for one visitor of a page.
 *
 * The page names the form and nothing about money. What it gets is a token of this server; the
 * session behind it is shared by all visitors, so a page view costs no upstream call.
 *
 * The name comes in the query of a POST without a body, for which browsers ask no leave first: one
 * round trip less on every page view. A page of another origin is refused all the same. A JSON body
 * does as well.
 */
export const embedSessions = (deps: Deps) =>
  new Hono<Env>().post('/', queryParams(CreateFormSession), parseBody, async (c) => {
    const name = c.req.valid('json').form ?? c.req.valid('query').form ?? DEFAULT_FORM;
    return c.json(await openFormSession(c.var.origin, name, deps), 201);
  });

/** Opens a form for a visitor of a page of this origin. @throws {ConnectError} as `sessions.get` */
export async function openFormSession(
  origin: string,
  name: string,
  { config, sessions, visitorTokens, guard, now }: Deps,
): Promise<FormSession> {
  const { session, form, expiresAt, organization } = await sessions.get(name);
  const end = Math.min(expiresAt, now() + config.sessionSeconds * 1000);
  const visitor = { id: crypto.randomUUID(), form: name, origin };
  return {
    ...session,
    session_token: await visitorTokens.sign(visitor, end),
    expires_at: new Date(end).toISOString(),
    form,
    ...(guard.needsProof(name, organization) && { proof_required: true }),
  };
}

const parseBody = jsonBody(CreateFormSession, { mayBeEmpty: true });
