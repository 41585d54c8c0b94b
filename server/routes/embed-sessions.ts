import { CreateFormSession, type FormSession } from '@connect-embed/contract';
import { jsonBody, queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import type { Deps, Env } from '../env.ts';
import { parseFormName } from '../platform/form-name.ts';
import { endOfKey, newVisitorId } from '../visitor-tokens.ts';
import { originError } from '../require-allowed-origin.ts';

/** Name of the form for a page that names no form. */
const DEFAULT_FORM = 'default';

/**
 * `POST /embed-sessions` opens a form for one visitor of a page.
 *
 * The page sends the form's name, and no amounts. The response has a session token signed by this
 * server; the API session behind it is shared by all visitors, so a page view costs no API request.
 *
 * The name can be in the query of a POST without a body. Browsers send that without a preflight,
 * which saves a round trip on every page view; the origin is checked all the same. The name can
 * also be in a JSON body.
 */
export const embedSessionRoutes = (deps: Deps) =>
  new Hono<Env>().post('/', queryParams(CreateFormSession), parseBody, async (c) => {
    const { form: formInBody } = c.req.valid('json');
    const name = formInBody ?? c.req.valid('query').form ?? DEFAULT_FORM;
    // The origin was checked for the form in the query.
    if (formInBody !== undefined) await requireSiteOf(deps, formInBody, c.var.origin);
    return c.json(await openFormSession(c.var.origin, name, deps), 201);
  });

/** @throws {ConnectError} `forbidden` if the origin is not an allowed site of the form's organization */
async function requireSiteOf({ allowedOrigins }: Deps, form: string, origin: string) {
  const { organization } = parseFormName(form);
  if (!(await allowedOrigins.includes(origin, organization))) throw originError(origin);
}

/**
 * Opens a form for a visitor of a page of this origin.
 *
 * @throws {ConnectError} the errors of `sessions.get`
 */
export async function openFormSession(
  origin: string,
  name: string,
  { config, sessions, visitorTokens, guard, now }: Deps,
): Promise<FormSession> {
  const { session, form, expiresAt, organization } = await sessions.get(name);
  const end = Math.min(expiresAt, now() + config.sessionSeconds * 1000);
  const version = form.form_version ?? undefined;
  const key = endOfKey(form.publishable_key);
  const visitor = { id: newVisitorId(), form: name, version, key, origin };
  return {
    ...session,
    session_token: visitorTokens.sign(visitor, end),
    expires_at: new Date(end).toISOString(),
    form,
    ...(guard.needsProof(name, organization) && { proof_required: true }),
  };
}

const parseBody = jsonBody(CreateFormSession, { mayBeEmpty: true });
