import { Hono } from 'hono';
import type { Env } from '../env.ts';
import { secretKeyOnly } from '../credential.ts';
import { currency } from '../money.ts';
import { integer, metadata, required, text } from '../params.ts';
import { cancelPayout, createPayout, balanceByCurrency } from '../payouts.ts';
import { action, filterBy, listAndRetrieve, updateMetadata } from '../resource-routes.ts';

const CREATE_PARAMS = {
  amount: integer,
  currency,
  description: text,
  metadata,
  statement_descriptor: text,
};

/** `/v1/payouts` of the simulated Stripe API: payouts to a bank account. */
export const payouts = () =>
  listAndRetrieve('payout', filterBy('status'), ['arrival_date'])
    .post(
      '/',
      action(CREATE_PARAMS, ({ ledger, params: { amount, currency: code, ...rest } }) =>
        createPayout(ledger, {
          ...rest,
          amount: required(amount, 'amount'),
          currency: required(code, 'currency'),
        }),
      ),
    )
    .post('/:id', updateMetadata('payout', 'payout'))
    .post(
      '/:id/cancel',
      action({}, ({ ledger, id }) => cancelPayout(ledger, ledger.find('payout', id, 'payout'))),
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
