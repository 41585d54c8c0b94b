import type { Context } from 'hono';
import type { Env } from '../env.ts';
import { newId } from '../ids.ts';
import { Ledger } from '../ledger.ts';

/** The ledger of an account for a page of the sandbox. Its events look as if Stripe or a bank had caused them. */
export const pageLedger = (c: Context<Env>, account: string) => {
  const { db, clock, faults } = c.var.deps;
  const store = { db, faults, now: clock.now, url: new URL(c.req.url).origin };
  return new Ledger(store, account, { requestId: newId('req'), idempotencyKey: null });
};
