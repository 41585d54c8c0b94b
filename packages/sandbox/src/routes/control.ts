import { type Context, Hono } from 'hono';
import { csrf } from 'hono/csrf';
import { ACTS } from '../acts.ts';
import type { Env } from '../app.ts';
import { type Asked, bodyOf, done } from '../asked.ts';
import { Books } from '../books.ts';
import { faultSwitches } from './faults.ts';
import { newId } from '../ids.ts';
import { periodEnd } from '../period.ts';
import { invalidParam } from '../stripe-error.ts';
import { PLATFORM_ACCOUNT } from '../wire.ts';

const SPANS = {
  day: { interval: 'day', interval_count: 1 },
  week: { interval: 'week', interval_count: 1 },
  month: { interval: 'month', interval_count: 1 },
  quarter: { interval: 'month', interval_count: 3 },
  year: { interval: 'year', interval_count: 1 },
} as const;

/** Further than this nobody means to go, and the way there is long. */
const FURTHEST_SECONDS = 10 * 366 * 24 * 60 * 60;

/**
 * `/sandbox`: what only a sandbox has. JSON for programs, forms for the buttons of the front page.
 *
 * Another site cannot press them: forms are held to this origin, and JSON from elsewhere is stopped
 * by the browser, since nothing here allows it.
 */
export function control() {
  const app = new Hono<Env>()
    .use(csrf())
    .get('/clock', (c) => c.json(clockOf(c)))
    .post('/clock', async (c) => {
      const asked = await bodyOf(c);
      c.var.deps.agenda.advance(targetOf(asked, c.var.deps.clock.now()));
      return done(c, clockOf(c));
    });
  app.route('/faults', faultSwitches());
  for (const [path, act] of Object.entries(ACTS)) {
    app.post(path, async (c) => {
      const { account = PLATFORM_ACCOUNT, ...asked } = await bodyOf(c);
      const answer = await c.var.deps.commits.run(() => act(booksOf(c, String(account)), asked));
      return done(c, answer);
    });
  }
  return app;
}

/** Nobody's request caused it: it is as if Stripe, or a bank, had. */
const booksOf = (c: Context<Env>, account: string) => {
  const { db, clock, faults } = c.var.deps;
  const store = { db, faults, now: clock.now, url: new URL(c.req.url).origin };
  return new Books(store, account, { requestId: newId('req'), idempotencyKey: null });
};

const clockOf = (c: Context<Env>) => ({ object: 'sandbox.clock', now: c.var.deps.clock.now() });

function targetOf({ advance, seconds, to }: Asked, now: number): number {
  const span = Object.hasOwn(SPANS, String(advance)) && SPANS[advance as keyof typeof SPANS];
  const target = span ? periodEnd(now, now, span) : Number(to ?? now + Number(seconds));
  if (Number.isInteger(target) && target >= now && target <= now + FURTHEST_SECONDS) return target;
  throw invalidParam(
    'advance',
    `Send one of: advance (${Object.keys(SPANS).join(', ')}), seconds, to (seconds since 1970).`,
  );
}
