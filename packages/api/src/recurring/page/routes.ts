import { limitBody } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Deps } from '../../env.ts';
import { enqueueMail } from '../../mail/queue.ts';
import { readForm } from '../../pages/form.ts';
import { ACTS, readAmount, readMissingCover, type Act } from './acts.ts';
import { again, badAmount, change, draw, good, problem, type PlanEnv } from './answer.ts';
import { isTooFast } from './budget.ts';
import { cardChange } from './card-routes.ts';
import { findSessionOwner, openFormAgain } from './donate-again.ts';
import { findPlan, type OpenPlan } from './find-plan.ts';
import { PLAN_HEADERS } from './headers.ts';
import { CARD_SCRIPT, CARD_SCRIPT_FILE, PLAN_STYLE, PLAN_STYLE_FILE } from './shell.ts';
import { cancelView, expiredView, nowhereView, sentView } from './small-views.ts';

/**
 * `/plans/{token}`: a donor sees and changes a plan, with a link and without an account. All of it
 * works without JavaScript but the card's own fields: docs/decisions/0037-plan-links.md
 */
export const plans = (deps: Deps) =>
  new Hono<PlanEnv>()
    .get(`/${PLAN_STYLE_FILE}`, (c) => c.body(PLAN_STYLE, 200, kept('text/css')))
    .get(`/${CARD_SCRIPT_FILE}`, (c) => c.body(CARD_SCRIPT, 200, kept('text/javascript')))
    .use('/:token/*', guard, limitBody, opened(deps))
    .get('/:token', async (c) => {
      const { plan } = c.var;
      const notice = c.req.query('done') === undefined ? undefined : good(plan);
      return c.html(await draw(deps, c, notice));
    })
    .post('/:token/amount', async (c) => {
      const { plan } = c.var;
      const { row, place } = plan;
      if (row.fee_cover === null) {
        return await again(deps, c, 503, plan.speech.say('try_again'));
      }
      const parts = readAmount(plan, await readForm(c));
      if (parts === undefined) return await again(deps, c, 400, badAmount(plan));
      const amountCents = parts.givenCents + parts.coverCents;
      if (amountCents === row.amount_cents) return c.redirect(c.var.path, 303);
      const { currency, frequency } = row;
      const to = { currency, frequency, amountCents, feeCoverCents: parts.coverCents };
      return await change(deps, c, () => deps.processor.changePlanAmount(place, to));
    })
    .get('/:token/again', async (c) => {
      const { plan, path } = c.var;
      const owner = plan.row.status === 'canceled' && (await findSessionOwner(deps.db, plan));
      if (!owner) return c.redirect(path, 303);
      return c.redirect(await openFormAgain(deps, plan, owner), 303);
    })
    .get('/:token/cancel', (c) => {
      const { plan, path } = c.var;
      if (plan.row.status === 'canceled') return c.redirect(path, 303);
      return c.html(cancelView({ base: deps.baseUrl, path, plan }));
    })
    .post('/:token/:act{pause|resume|cancel}', async (c) =>
      change(deps, c, () => ACTS[c.req.param('act') as Act](deps, c.var.plan)),
    )
    .route('/', cardChange(deps));

const kept = (type: string) => ({
  'Content-Type': `${type}; charset=utf-8`,
  'Cache-Control': 'public, max-age=31536000, immutable',
  'X-Content-Type-Options': 'nosniff',
});

/** Set before the page is made, so that a page which is refused carries them too. */
const guard = createMiddleware<PlanEnv>(async (c, next) => {
  for (const [name, value] of Object.entries(PLAN_HEADERS)) c.header(name, value);
  await next();
});

/** Lets in whoever holds a link that opens a plan. */
const opened = (deps: Deps) =>
  createMiddleware<PlanEnv, '/:token/*'>(async (c, next) => {
    const token = c.req.param('token');
    const found = await findPlan(deps, token);
    if (!found) return c.html(nowhereView(deps.baseUrl, c.req.header('accept-language')), 404);
    const path = `${deps.baseUrl}/plans/${token}`;
    const { plan } = found;
    c.set('plan', plan);
    c.set('path', path);
    const changes = c.req.method === 'POST';
    if (await isTooFast(deps, plan.row.id, changes ? 'change' : 'look')) {
      c.header('Retry-After', '60');
      return c.html(await draw(deps, c, problem(plan.speech.say('too_fast'))), 429);
    }
    if (found.kind === 'open') {
      const reread = (await readMissingCover(deps, plan)) && (await findPlan(deps, token));
      if (reread) c.set('plan', reread.plan);
      return await next();
    }
    const view = { base: deps.baseUrl, path, plan };
    if (!changes) return c.html(expiredView(view), 410);
    await sendLink(deps, plan);
    return c.html(sentView(view));
  });

/** A new link goes to the donor's own address, and never to who asks; one an hour. */
const sendLink = (deps: Deps, { row }: OpenPlan) =>
  enqueueMail(deps.db, {
    kind: 'plan_link',
    organizationId: row.organization_id,
    planId: row.id,
    occasion: Math.floor(Date.now() / 3_600_000),
  });
