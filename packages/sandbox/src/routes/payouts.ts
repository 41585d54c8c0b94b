import { Hono } from 'hono';
import type { Env } from '../env.ts';
import { secretKeyOnly } from '../credential.ts';
import { currency } from '../money.ts';
import { integer, required } from '../params.ts';
import { createPayout, balanceByCurrency } from '../payouts.ts';
import { action, listAndRetrieve } from '../resource-routes.ts';

/** `/v1/payouts` of the simulated Stripe API: payouts to a bank account. */
export const payouts = () =>
  listAndRetrieve('payout').post(
    '/',
    action({ amount: integer, currency }, ({ ledger, params }) =>
      createPayout(
        ledger,
        required(params.amount, 'amount'),
        required(params.currency, 'currency'),
      ),
    ),
  );

/** `/v1/balance`: the available and the pending balance. */
export const balance = () =>
  new Hono<Env>().use(secretKeyOnly).get('/', (c) => {
    const balancePart = (status: 'available' | 'pending') =>
      [...balanceByCurrency(c.var.ledger, status)].map(([code, amount]) => ({
        amount,
        currency: code,
        source_types: { card: amount },
      }));
    return c.json({
      object: 'balance',
      available: balancePart('available'),
      livemode: false,
      pending: balancePart('pending'),
    });
  });
