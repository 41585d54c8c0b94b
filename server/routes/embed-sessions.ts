import { CreateFormSession, DEFAULT_FORM, type FormSession } from '@connect-embed/contract';
import { jsonBody, queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import type { Deps, Env } from '../deps.ts';
import { parseFormName } from '../platform/form-name.ts';
import { originError } from '../guard/require-allowed-origin.ts';
import { endOfKey, newVisitorId } from '../sessions/visitor-tokens.ts';

/**
 * `POST /embed-sessions` opens a session for one visitor, once the donor uses the form.
 *
 * The page sends the form's name and the version that it shows, and no amounts. The response has a
 * session token signed by this server, and the keys with which the page confirms the payment. The API
 * session behind it is shared by all visitors, so a visitor costs no API request.
 *
 * The name can be in the query of a POST without a body. Browsers send that without a preflight,
 * which saves a round trip; the origin is checked all the same. The name can also be in a JSON body.
 */
export const embedSessionRoutes = (deps: Deps) =>
  new Hono<Env>().post('/', queryParams(CreateFormSession), parseBody, async (c) => {
    const query = c.req.valid('query');
    const body = c.req.valid('json');
    const { form = DEFAULT_FORM, form_version } = { ...query, ...body };
    // The origin was checked for the form in the query.
    if (body.form !== undefined) await requireSiteOf(deps, body.form, c.var.origin);
    return c.json(await openFormSession(c.var.origin, { form, form_version }, deps), 201);
  });

/** @throws {ConnectError} `forbidden` if the origin is not an allowed site of the form's organization */
async function requireSiteOf({ allowedOrigins }: Deps, form: string, origin: string) {
  const { organization } = parseFormName(form);
  if (!(await allowedOrigins.includes(origin, organization))) throw originError(origin);
}

/** @throws {ConnectError} the errors of `sessions.getForPage` */
async function openFormSession(
  origin: string,
  { form: name, form_version }: { form: string; form_version: number | undefined },
  { config, sessions, visitorTokens, guard }: Deps,
): Promise<FormSession> {
  const { session, form, expiresAt, organization } = await sessions.getForPage(name, form_version);
  const end = Math.min(expiresAt, config.now() + config.sessionSeconds * 1000);
  const version = form.form_version ?? undefined;
  const key = endOfKey(form.publishable_key);
  const visitor = { id: newVisitorId(), form: name, version, key, origin };
  const { id, object, organization_id, embed_url } = session;
  return {
    id,
    object,
    organization_id,
    embed_url,
    session_token: await visitorTokens.sign(visitor, end),
    expires_at: new Date(end).toISOString(),
    form,
    ...(guard.needsProof(name, organization) && { proof_required: true }),
  };
}

const parseBody = jsonBody(CreateFormSession, { mayBeEmpty: true });
