import { limitBody } from '@connect-embed/contract/hono';
import { Hono, type Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Deps } from '../deps.ts';
import { enqueueEmail } from '@connect-embed/api/mail/queue';
import { immutableFile } from '@connect-embed/api/http/page-shell';
import { readForm } from '@connect-embed/api/http/read-form';
import { ACTIONS, readAmount, fetchMissingFeeCover, type Action } from './actions.ts';
import {
  renderProblem,
  runChange,
  renderPage,
  successMessage,
  type SubscriptionEnv,
} from './responses.ts';
import { isRateLimited } from './rate-limits.ts';
import { cardRoutes } from './card-routes.ts';
import { findSessionOwner, createEmbedSession } from './donate-again.ts';
import { findByManageLink, type ManagedSubscription } from './find-subscription.ts';
import { PAGE_HEADERS } from './headers.ts';
import {
  CARD_SCRIPT,
  CARD_SCRIPT_FILE,
  SUBSCRIPTION_STYLE,
  SUBSCRIPTION_STYLE_FILE,
} from './page-layout.ts';
import { cancelView, linkExpiredView, notFoundView, linkSentView } from './secondary-views.ts';

/**
 * Routes under `/plans/{token}`, where a donor sees and changes a subscription with a manage link
 * and without an account. JavaScript is needed only to enter a card:
 * docs/decisions/0036-subscriptions.md
 */
export const manageRoutes = (deps: Deps) =>
  new Hono<SubscriptionEnv>()
    .get(`/${SUBSCRIPTION_STYLE_FILE}`, (c) =>
      c.body(SUBSCRIPTION_STYLE, 200, immutableFile('text/css')),
    )
    .get(`/${CARD_SCRIPT_FILE}`, (c) => c.body(CARD_SCRIPT, 200, immutableFile('text/javascript')))
    .use('/:token/*', setPageHeaders, limitBody, requireManageLink(deps))
    .get('/:token', async (c) => {
      const { subscription } = c.var;
      const message = successMessage(subscription, c.req.query('done'));
      return c.html(await renderPage(deps, c, { message }));
    })
    .post('/:token/amount', (c) => changeAmount(deps, c))
    .get('/:token/again', async (c) => {
      const { subscription, path } = c.var;
      const owner =
        subscription.row.status === 'canceled' && (await findSessionOwner(deps.db, subscription));
      if (!owner) return c.redirect(path, 303);
      return c.redirect(await createEmbedSession(deps, subscription, owner), 303);
    })
    .get('/:token/cancel', (c) => {
      const { subscription, path } = c.var;
      if (subscription.row.status === 'canceled') return c.redirect(path, 303);
      return c.html(cancelView({ base: deps.baseUrl, path, subscription }));
    })
    .post('/:token/:act{pause|resume|cancel}', async (c) => {
      const action = c.req.param('act') as Action;
      return runChange(deps, c, action, () => ACTIONS[action](deps, c.var.subscription));
    })
    .route('/', cardRoutes(deps));

async function changeAmount(deps: Deps, c: Context<SubscriptionEnv>) {
  const { subscription } = c.var;
  const { row, target } = subscription;
  if (row.fee_cover === null) {
    return await renderProblem(deps, c, 503, subscription.translator.translate('try_again'));
  }
  const field = await readForm(c);
  const parts = readAmount(subscription, field);
  if ('problem' in parts) return await renderProblem(deps, c, 400, parts.problem, field('amount'));
  const amountCents = parts.donationCents + parts.coverCents;
  if (amountCents === row.amount_cents) return c.redirect(c.var.path, 303);
  const { currency, frequency } = row;
  const to = { currency, frequency, amountCents, feeCoverCents: parts.coverCents };
  return await runChange(deps, c, 'amount', () =>
    deps.processor.changeSubscriptionAmount(target, to),
  );
}

/**
 * Middleware that sets the response headers before the handlers run, so that error pages have these
 * headers too.
 */
const setPageHeaders = createMiddleware<SubscriptionEnv>(async (c, next) => {
  for (const [name, value] of Object.entries(PAGE_HEADERS)) c.header(name, value);
  await next();
});

/** Middleware that requires a valid manage link and loads its subscription. */
const requireManageLink = (deps: Deps) =>
  createMiddleware<SubscriptionEnv, '/:token/*'>(async (c, next) => {
    const token = c.req.param('token');
    const managed = await findByManageLink(deps, token);
    if (!managed) return c.html(notFoundView(deps.baseUrl, c.req.header('accept-language')), 404);
    const path = `${deps.baseUrl}/plans/${token}`;
    const { subscription } = managed;
    c.set('subscription', subscription);
    c.set('path', path);
    const isChange = c.req.method === 'POST';
    if (await isRateLimited(deps, subscription.row.id, isChange ? 'change' : 'view')) {
      c.header('Retry-After', '60');
      return await renderProblem(deps, c, 429, subscription.translator.translate('too_fast'));
    }
    if (!managed.isExpired) {
      const reloaded =
        (await fetchMissingFeeCover(deps, subscription)) && (await findByManageLink(deps, token));
      if (reloaded) c.set('subscription', reloaded.subscription);
      return await next();
    }
    const view = { base: deps.baseUrl, path, subscription };
    if (!isChange) return c.html(linkExpiredView(view), 410);
    await enqueueNewLink(deps, subscription);
    return c.html(linkSentView(view));
  });

/** Enqueues an email with a new link to the donor's saved address, at most one an hour. */
const enqueueNewLink = (deps: Deps, { row }: ManagedSubscription) =>
  enqueueEmail(deps.db, {
    kind: 'plan_link',
    organizationId: row.organization_id,
    planId: row.id,
    occasion: Math.floor(Date.now() / 3_600_000),
  });
