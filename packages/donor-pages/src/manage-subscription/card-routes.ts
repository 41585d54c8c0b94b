import { allowedMethodTypes, ConnectError, invalidRequest } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import type { Deps } from '../deps.ts';
import { readForm } from '@connect-embed/api/http/read-form';
import { loadPlanMethodTypes } from '@connect-embed/api/payments/subscriptions/plan-methods';
import { runChange, type SubscriptionEnv } from './responses.ts';
import { countCard } from './rate-limits.ts';
import { cardHeaders } from './headers.ts';
import { cardView } from './secondary-views.ts';

/**
 * Routes that change the payment method of a subscription. The browser sends the card or bank account to Stripe and the id of
 * the setup intent to this server, which checks at Stripe that the setup intent belongs to this
 * donor.
 */
export const cardRoutes = (deps: Deps) =>
  new Hono<SubscriptionEnv>()
    .get('/:token/card', async (c) => {
      const { subscription, path } = c.var;
      if (subscription.row.status === 'canceled') return c.redirect(path, 303);
      const { scriptUrl } = deps.processor;
      const keys = await deps.processor.browserKeysOf(subscription.target.stripeAccount);
      const methods = allowedMethodTypes(await loadPlanMethodTypes(deps, subscription.row), true);
      const form = { ...keys, scriptUrl, methods };
      for (const [name, value] of Object.entries(cardHeaders(scriptUrl))) c.header(name, value);
      return c.html(cardView({ base: deps.baseUrl, path, subscription }, form));
    })
    .post('/:token/setup-intents', async (c) => {
      const { target, row } = c.var.subscription;
      if (row.status === 'canceled')
        throw new ConnectError('conflict', 'The recurring donation is canceled.', {
          code: 'recurring_donation_canceled',
        });
      const retryAfterSeconds = await countCard(deps, row.id);
      if (retryAfterSeconds !== undefined) {
        throw new ConnectError('rate_limited', 'Too many cards were tried. Try again later.', {
          code: 'card_limit_reached',
          retryAfterSeconds,
        });
      }
      const metadata = { organization_id: row.organization_id, plan_id: row.id };
      const offered = await loadPlanMethodTypes(deps, row);
      const client_secret = await deps.processor.createSetupIntent(target, offered, metadata);
      return c.json({ client_secret }, 201);
    })
    .post('/:token/card', async (c) => {
      const field = await readForm(c);
      return await saveCard(deps, c, field('setup_intent'));
    })
    // Banks that authenticate on a page of their own redirect the donor to this URL.
    .get('/:token/card/return', (c) => saveCard(deps, c, c.req.query('setup_intent') ?? ''));

function saveCard(
  deps: Deps,
  c: Context<SubscriptionEnv>,
  setupIntentId: string,
): Promise<Response> {
  const { target } = c.var.subscription;
  return runChange(deps, c, 'card', async () => {
    const isSetupIntentId = /^seti_\w{1,100}$/.test(setupIntentId);
    if (isSetupIntentId && (await deps.processor.changeSubscriptionCard(target, setupIntentId)))
      return;
    throw invalidRequest('setup_intent', 'does not belong to this recurring donation.');
  });
}
