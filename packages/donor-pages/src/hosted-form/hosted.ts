import {
  ConnectError,
  invalidRequest,
  HoneypotField,
  notFound,
  toPublicForm,
  type FormSession,
} from '@connect-embed/contract';
import {
  challengeInResponse,
  jsonBody,
  limitBody,
  NoQuery,
  queryParams,
} from '@connect-embed/contract/hono';
import { Hono, type Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { z } from 'zod';
import type { Env } from '@connect-embed/api/http/env';
import type { Deps } from '../deps.ts';
import type { Credential } from '@connect-embed/api/http/credential';
import { findEmbedSessionById } from '@connect-embed/api/auth/session';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import { attackUntil } from '@connect-embed/api/payments/fraud/attack-mode';
import { readSessionRequest } from '@connect-embed/api/payments/fraud/admit-donor';
import { immutableFile } from '@connect-embed/api/http/page-shell';
import { securityHeaders } from '@connect-embed/api/http/security-headers';
import { isId } from '@connect-embed/api/lib/id';
import { idempotent } from '@connect-embed/api/http/idempotency';
import { loadEmbedForm } from '@connect-embed/api/resources/embed-sessions';
import { loadProgress } from '@connect-embed/api/resources/campaigns';
import { paymentIntentStatus } from '@connect-embed/api/resources/payment-intent-status';
import { paymentIntents } from '@connect-embed/api/resources/payment-intents';
import { limitHostedRequests } from './rate-limit.ts';
import { hostedHeaders } from './headers.ts';
import { readAppearance } from './appearance.ts';
import { requireSameOrigin } from './same-origin.ts';
import { STYLE } from '../page/style.ts';
import { STYLE_FILE } from './assets.ts';
import { findFrameAncestors } from './frame-ancestors.ts';
import { createHostedTranslator, hostedPage, hostedErrorPage } from './page.ts';
import { htmlErrors } from './error-page.ts';
import { isBuilt } from '@connect-embed/api/lib/built-script';
import { frameScripts, hostedScripts } from './scripts.ts';
import { requireVisitor, createVisitorToken } from './visitor-token.ts';

/**
 * Routes below `/embed`: the hosted donation page at the `embed_url` of an embed session, for sites
 * that cannot run the form themselves, and the endpoints of its form.
 *
 * The page uses the same `<connect-donate>` element as other sites, so these endpoints implement
 * the protocol of the backend-for-frontend (BFF): docs/decisions/0023-hosted-page.md
 */
export const hostedRoutes = (deps: Deps) => {
  const guards = [securityHeaders, requireSameOrigin(deps), limitBody] as const;
  const viewGuards = [
    securityHeaders,
    requireEmbedSession(deps),
    limitHostedRequests(deps, 'view'),
  ] as const;
  return new Hono<Env>()
    .get(`/${STYLE_FILE}`, (c) => c.body(STYLE, 200, immutableFile('text/css')))
    .route('/', frameScripts())
    .route('/', hostedScripts(deps))
    .use('/:id', htmlErrors(deps))
    .get('/:id', (c) => renderPage(deps, c, c.req.param('id')))
    .use('/:id/embed-form', ...viewGuards)
    .get('/:id/embed-form', queryParams(NoQuery), async (c) =>
      c.json(toPublicForm(await loadEmbedForm(deps, c.var.credential))),
    )
    .use('/:id/campaigns/*', ...viewGuards)
    .get('/:id/campaigns/:campaign/progress', queryParams(NoQuery), async (c) =>
      c.json(await loadGoal(deps, c.var.credential, c.req.param('campaign'))),
    )
    .use(
      '/:id/embed-sessions',
      ...guards,
      requireEmbedSession(deps),
      limitHostedRequests(deps, 'open'),
    )
    .post('/:id/embed-sessions', jsonBody(z.strictObject({}), { mayBeEmpty: true }), async (c) =>
      c.json(await createFormSession(deps, c.var.credential), 201),
    )
    .use('/:id/payment-intents', ...guards, requireVisitor(deps), limitHostedRequests(deps, 'give'))
    .use('/:id/payment-intents', requireIdempotencyKey, respondWithChallenge(deps))
    .use('/:id/payment-intents', idempotent(deps))
    .route('/:id/payment-intents', paymentIntents(deps, { isHostedPage: true }))
    .use(
      '/:id/challenges',
      ...guards,
      requireVisitor(deps),
      limitHostedRequests(deps, 'open'),
      requireIdempotencyKey,
    )
    .post('/:id/challenges', jsonBody(HoneypotField, { mayBeEmpty: true }), async (c) =>
      c.json(await createChallenge(deps, c, Boolean(c.req.valid('json').website)), 201),
    )
    .use(
      '/:id/payment-intents/*',
      securityHeaders,
      requireVisitor(deps),
      limitHostedRequests(deps, 'open'),
    )
    .route('/:id/payment-intents', paymentIntentStatus(deps));
};

async function renderPage(deps: Deps, c: Context<Env>, id: string) {
  const { baseUrl, processor, db } = deps;
  const translator = createHostedTranslator(c.req.header('accept-language'));
  const session = isId(id) ? await findEmbedSessionById(db, id) : undefined;
  const { exists, sites } = await findFrameAncestors(db, id);
  const headers = {
    ...hostedHeaders(processor.scriptUrl, sites, c.req.header('referer')),
    Vary: 'Accept-Language, Sec-Fetch-Dest',
  };
  const appearance = readAppearance(c, sites);
  if (!session) {
    const texts = exists
      ? ([translator.translate('expired'), translator.translate('expiredText')] as const)
      : ([translator.translate('notFound'), translator.translate('notFoundText')] as const);
    return c.html(
      hostedErrorPage(baseUrl, translator, texts, appearance),
      exists ? 410 : 404,
      headers,
    );
  }
  if (!(await isBuilt(deps.scriptsDir))) {
    const page = hostedErrorPage(baseUrl, createHostedTranslator('en'), NOT_READY, appearance);
    return c.html(page, 503, { ...headers, 'Retry-After': '10' });
  }
  const { name: organization } = session.organization;
  const server = `${baseUrl}/embed/${session.id}`;
  const page = { base: baseUrl, server, organization, translator, appearance };
  return c.html(hostedPage(page), 200, headers);
}

/** Title and text of the page, for the operator of the service, if the form has not been built. */
const NOT_READY = [
  'This page is not ready yet',
  'The donation form has not been built. To build it, run on the server: npm run build',
] as const;

/** @throws {ConnectError} `not_found` if it is not the campaign of the form */
async function loadGoal({ db }: Deps, { id, organization }: Credential, campaignId: string) {
  const { terms } = await forOrganization(db, organization.id)
    .selectFrom('embed_session')
    .select('terms')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (terms.campaign_id !== campaignId) throw notFound('campaign', campaignId);
  return await loadProgress(db, organization.id, campaignId);
}

/**
 * Middleware that sets the embed session in the path as the credential of the request.
 *
 * @throws {ConnectError} `not_found` if the session has expired or does not exist
 */
const requireEmbedSession = ({ db }: Deps) =>
  createMiddleware<Env, '/:id/:what'>(async (c, next) => {
    const id = c.req.param('id');
    const session = isId(id) ? await findEmbedSessionById(db, id) : undefined;
    if (!session)
      throw new ConnectError('not_found', 'This donation page has expired.', {
        code: 'page_expired',
      });
    c.set('credential', session);
    await next();
  });

/** Middleware that replaces a required proof of work with its challenge. */
const respondWithChallenge = (deps: Deps) =>
  challengeInResponse<Env>((c, honeypotFilled) => createChallenge(deps, c, honeypotFilled));

async function createChallenge(deps: Deps, c: Context<Env>, honeypotFilled: boolean) {
  const until = await attackUntil(deps.db, c.var.credential.organization.id);
  return await deps.sessionGuard.challenge(readSessionRequest(deps, c, until), honeypotFilled);
}

async function createFormSession(deps: Deps, session: Credential): Promise<FormSession> {
  const { expires_at } = await forOrganization(deps.db, session.organization.id)
    .selectFrom('embed_session')
    .select('expires_at')
    .where('id', '=', session.id)
    .executeTakeFirstOrThrow();
  const sessionInfo = { id: session.id, expires_at: expires_at.toISOString() };
  return {
    ...sessionInfo,
    object: 'embed_session',
    session_token: await createVisitorToken(deps, sessionInfo),
    organization_id: session.organization.id,
    embed_url: `${deps.baseUrl}/embed/${session.id}`,
    form: await loadEmbedForm(deps, session),
    ...((await attackUntil(deps.db, session.organization.id)) && { proof_required: true }),
  };
}

/**
 * Middleware that requires an idempotency key. A page can lose its connection at any time, and
 * without the key a retry could create a second donation.
 */
const requireIdempotencyKey = createMiddleware<Env>(async (c, next) => {
  if (!c.req.header('idempotency-key')) {
    throw invalidRequest('Idempotency-Key', 'is required.', { code: 'parameter_missing' });
  }
  await next();
});
