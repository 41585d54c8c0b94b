import { Hono } from 'hono';
import type { Env } from '../app.ts';
import { type RequestBody, readBody, respond } from '../request-body.ts';
import { FAULTS, type FaultName } from '../faults.ts';
import { invalidParam } from '../stripe-error.ts';

/** `/sandbox/faults`: switches faults of the simulated Stripe on and off, and counts them. */
export const faultRoutes = () =>
  new Hono<Env>()
    .get('/', (c) => c.json({ object: 'list', data: c.var.deps.faults.list(), known: FAULTS }))
    .post('/', async (c) => {
      const asked = await readBody(c);
      return respond(
        c,
        c.var.deps.faults.switchOn({
          name: parseFaultName(asked['name']),
          rate: parseNumber(asked, 'rate', 1, 1),
          seed: typeof asked['seed'] === 'string' ? asked['seed'] : String(asked['seed'] ?? ''),
          left: asked['count'] === undefined ? null : parseNumber(asked, 'count', 0, 1e9),
          ms: parseNumber(asked, 'ms', 1000, 600_000),
          path: typeof asked['path'] === 'string' ? asked['path'] : '',
        }),
      );
    })
    .delete('/:name?', (c) => {
      const { faults } = c.var.deps;
      const name = c.req.param('name');
      const off =
        name === undefined ? faults.list().map((each) => each.name) : [parseFaultName(name)];
      for (const each of off) faults.switchOff(each);
      return c.json({ object: 'list', data: faults.list() });
    });

function parseFaultName(name: unknown): FaultName {
  if (typeof name === 'string' && Object.hasOwn(FAULTS, name)) return name as FaultName;
  throw invalidParam('name', `name must be one of ${Object.keys(FAULTS).join(', ')}.`);
}

function parseNumber(asked: RequestBody, name: string, defaultValue: number, most: number): number {
  const value = asked[name] === undefined ? defaultValue : Number(asked[name]);
  if (value >= 0 && value <= most) return value;
  throw invalidParam(name, `${name} must be a number from 0 to ${most}.`);
}
