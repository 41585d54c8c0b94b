import { ConnectError } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import type { Deps } from '../../env.ts';
import { readForm } from '../../pages/form.ts';
import { change, type PlanEnv } from './answer.ts';
import { takeCard } from './budget.ts';
import { cardHeaders } from './headers.ts';
import { cardView } from './small-views.ts';

/**
 * Another card for a plan. The browser gives it to the processor, and us the name of what came of
 * that; whether it is this donor's, the processor is asked.
 */
export const cardChange = (deps: Deps) =>
  new Hono<PlanEnv>()
    .get('/:token/card', (c) => {
      const { plan, path } = c.var;
      if (plan.row.status === 'canceled') return c.redirect(path, 303);
      const { publishableKey, scriptUrl } = deps.processor;
      const form = { publishableKey, scriptUrl, account: plan.place.stripeAccount };
      for (const [name, value] of Object.entries(cardHeaders(scriptUrl))) c.header(name, value);
      return c.html(cardView({ base: deps.baseUrl, path, plan }, form));
    })
    .post('/:token/setup-intents', async (c) => {
      const { place, row } = c.var.plan;
      if (row.status === 'canceled') throw new ConnectError('conflict', 'The plan has ended.');
      const retryAfterSeconds = await takeCard(deps, row.id);
      if (retryAfterSeconds !== undefined) {
        throw new ConnectError('rate_limited', 'Too many cards were tried.', { retryAfterSeconds });
      }
      const metadata = { organization_id: row.organization_id, plan_id: row.id };
      return c.json({ client_secret: await deps.processor.createPlanSetup(place, metadata) }, 201);
    })
    .post('/:token/card', async (c) => {
      const field = await readForm(c);
      return await keep(deps, c, field('setup_intent'));
    })
    // Banks that ask for more than a dialog send the donor back to here.
    .get('/:token/card/return', (c) => keep(deps, c, c.req.query('setup_intent') ?? ''));

function keep(deps: Deps, c: Context<PlanEnv>, setupIntentId: string): Promise<Response> {
  const { place } = c.var.plan;
  return change(deps, c, async () => {
    const isOurs = /^seti_\w{1,100}$/.test(setupIntentId);
    if (isOurs && (await deps.processor.changePlanCard(place, setupIntentId))) return;
    throw new ConnectError('invalid_request', 'setup_intent: is not a card of this plan.');
  });
}
