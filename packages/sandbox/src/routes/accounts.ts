import { Hono } from 'hono';
import type { Env } from '../app.ts';
import { secretKeyOnly } from '../credential.ts';
import { StripeError } from '../stripe-error.ts';

/** `/v1/accounts/:id`: every connected account exists and may take payments. */
export const accounts = () =>
  new Hono<Env>().use(secretKeyOnly).get('/:id', (c) => {
    const id = c.req.param('id');
    if (!/^acct_\w{1,60}$/.test(id)) {
      throw new StripeError(403, {
        type: 'invalid_request_error',
        code: 'account_invalid',
        message: `The provided key does not have access to account '${id}' (or that account does not exist).`,
      });
    }
    return c.json({
      id,
      object: 'account',
      business_profile: { name: 'Sandbox account', support_email: null, url: null },
      business_type: 'non_profit',
      capabilities: { card_payments: 'active', transfers: 'active' },
      charges_enabled: true,
      country: 'US',
      default_currency: 'usd',
      details_submitted: true,
      email: null,
      metadata: {},
      payouts_enabled: true,
      requirements: { currently_due: [], disabled_reason: null, past_due: [] },
      settings: { dashboard: { display_name: 'Sandbox account' } },
      type: 'standard',
    });
  });
