import { type Context, Hono } from 'hono';
import { csrf } from 'hono/csrf';
import { ADMIN_ACTIONS } from '../admin-actions.ts';
import type { Env } from '../env.ts';
import { type RequestBody, readBody, respond } from '../request-body.ts';
import { faultRoutes } from './faults.ts';
import { pageLedger } from './page-ledger.ts';
import { periodEnd } from '../billing-period.ts';
import { invalidParamError } from '../stripe-error.ts';
import { PLATFORM_ACCOUNT } from '../stripe-types.ts';

const TIME_SPANS = {
  day: { interval: 'day', interval_count: 1 },
  week: { interval: 'week', interval_count: 1 },
  month: { interval: 'month', interval_count: 1 },
  quarter: { interval: 'month', interval_count: 3 },
  year: { interval: 'year', interval_count: 1 },
} as const;

/** Longest advance of the time. A longer advance is probably a mistake, and would take too long. */
const MAX_ADVANCE_SECONDS = 10 * 366 * 24 * 60 * 60;

/**
 * `/sandbox`: routes that Stripe does not have. They accept JSON from programs, and forms from the
 * buttons of the front page.
 *
 * Other sites cannot use them: `csrf()` rejects forms from another origin, and browsers block JSON
 * from another origin because there are no CORS headers.
 */
export function sandboxAdmin() {
  const app = new Hono<Env>()
    .use(csrf())
    .get('/clock', (c) => c.json(clockStatus(c)))
    .post('/clock', async (c) => {
      const body = await readBody(c);
      c.var.deps.scheduler.advanceTo(parseTargetTime(body, c.var.deps.clock.now()));
      return respond(c, clockStatus(c));
    });
  app.route('/faults', faultRoutes());
  for (const [path, adminAction] of Object.entries(ADMIN_ACTIONS)) {
    app.post(path, async (c) => {
      const { account = PLATFORM_ACCOUNT, ...body } = await readBody(c);
      const result = await c.var.deps.groupCommit.run(() =>
        adminAction(pageLedger(c, String(account)), body),
      );
      return respond(c, result);
    });
  }
  return app;
}

const clockStatus = (c: Context<Env>) => ({ object: 'sandbox.clock', now: c.var.deps.clock.now() });

function parseTargetTime({ advance, seconds, to }: RequestBody, now: number): number {
  const span =
    Object.hasOwn(TIME_SPANS, String(advance)) && TIME_SPANS[advance as keyof typeof TIME_SPANS];
  const target = span ? periodEnd(now, now, span) : Number(to ?? now + Number(seconds));
  if (Number.isInteger(target) && target >= now && target <= now + MAX_ADVANCE_SECONDS)
    return target;
  throw invalidParamError(
    'advance',
    `Send one of advance (${Object.keys(TIME_SPANS).join(', ')}), seconds, to (seconds since 1970).`,
  );
}
