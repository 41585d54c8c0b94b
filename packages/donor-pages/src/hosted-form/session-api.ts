import { ConnectError, type EmbedSession } from '@connect-embed/contract';
import { parseBearer } from '@connect-embed/contract/hono';
import { findEmbedSessionById } from '@connect-embed/api/auth/session';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import type { Credential } from '@connect-embed/api/http/credential';
import type { Env } from '@connect-embed/api/http/env';
import { handleErrors } from '@connect-embed/api/http/error-handler';
import { createInstrumentedApp } from '@connect-embed/api/http/instrumented-app';
import { idempotent } from '@connect-embed/api/http/idempotency';
import { isId } from '@connect-embed/api/lib/id';
import { reportAttack } from '@connect-embed/api/payments/fraud/report-attack';
import { loadProgress } from '@connect-embed/api/resources/campaigns';
import { loadEmbedForm } from '@connect-embed/api/resources/embed-sessions';
import { paymentIntents } from '@connect-embed/api/resources/payment-intents';
import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Deps } from '../deps.ts';

/**
 * The Connect API as the server of a hosted form sees it: the few calls that it makes, with the id of an embed
 * session as credential.
 *
 * The id is in the address of the page, so it must open nothing from outside. This app is called within the
 * process only and listens nowhere: docs/decisions/0023-hosted-page.md
 */
export function createSessionApi(deps: Deps) {
  const routes = new Hono<Env>()
    .use(authenticateSession(deps))
    .post('/embed-sessions', async (c) => {
      await reportAttack(deps, c);
      return c.json(await describeSession(deps, c.var.credential), 201);
    })
    .get('/allowed-sites', (c) => c.json({ data: [], next_cursor: null }))
    .get('/campaigns/:id/progress', async (c) =>
      c.json(await loadProgress(deps.db, c.var.credential.organization.id, c.req.param('id'))),
    )
    .use('/payment-intents', idempotent(deps))
    .route('/payment-intents', paymentIntents(deps, { isFormServer: true }));
  return handleErrors(createInstrumentedApp(deps).route('/api/v1', routes), deps);
}

/** Middleware that sets the embed session whose id is the bearer as the credential of the request. */
const authenticateSession = (deps: Deps) =>
  createMiddleware<Env>(async (c, next) => {
    const id = parseBearer(c.req.header('authorization')) ?? '';
    c.set('credential', await requireEmbedSession(deps, id));
    await next();
  });

/** @throws {ConnectError} `not_found` with code `page_expired` if the session has expired or does not exist */
export async function requireEmbedSession({ db }: Deps, id: string): Promise<Credential> {
  const session = isId(id) ? await findEmbedSessionById(db, id) : undefined;
  if (session) return session;
  const message = 'This donation page has expired.';
  throw new ConnectError('not_found', message, { code: 'page_expired' });
}

/** Returns the session without its token, which only the credential that created it has. */
async function describeSession(deps: Deps, credential: Credential): Promise<EmbedSession> {
  const { id, organization } = credential;
  const { expires_at } = await forOrganization(deps.db, organization.id)
    .selectFrom('embed_session')
    .select('expires_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return {
    id,
    object: 'embed_session',
    session_token: '',
    organization_id: organization.id,
    embed_url: `${deps.baseUrl}/embed/${id}`,
    expires_at: expires_at.toISOString(),
    form: await loadEmbedForm(deps, credential),
  };
}
