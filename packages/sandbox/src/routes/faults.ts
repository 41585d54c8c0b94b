import { Hono } from 'hono';
import type { Env } from '../env.ts';
import { type RequestBody, readBody, respond } from '../request-body.ts';
import { FAULTS, type FaultName } from '../faults.ts';
import { invalidParamError } from '../stripe-error.ts';

/** `/sandbox/faults`: switches faults of the simulated Stripe on and off, and counts them. */
export const faultRoutes = () =>
  new Hono<Env>()
    .get('/', (c) => c.json({ object: 'list', data: c.var.deps.faults.list(), known: FAULTS }))
    .post('/', async (c) => {
      const body = await readBody(c);
      return respond(
        c,
        c.var.deps.faults.enable({
          name: parseFaultName(body['name']),
          rate: parseNumber(body, 'rate', 1, 1),
          seed: typeof body['seed'] === 'string' ? body['seed'] : String(body['seed'] ?? ''),
          remaining: body['count'] === undefined ? null : parseNumber(body, 'count', 0, 1e9),
          ms: parseNumber(body, 'ms', 1000, 600_000),
          path: typeof body['path'] === 'string' ? body['path'] : '',
        }),
      );
    })
    .delete('/:name?', (c) => {
      const { faults } = c.var.deps;
      const name = c.req.param('name');
      const faultNames =
        name === undefined ? faults.list().map((each) => each.name) : [parseFaultName(name)];
      for (const faultName of faultNames) faults.disable(faultName);
      return c.json({ object: 'list', data: faults.list() });
    });

function parseFaultName(name: unknown): FaultName {
  if (typeof name === 'string' && Object.hasOwn(FAULTS, name)) return name as FaultName;
  throw invalidParamError('name', `name must be one of ${Object.keys(FAULTS).join(', ')}.`);
}

function parseNumber(body: RequestBody, name: string, defaultValue: number, max: number): number {
  const value = body[name] === undefined ? defaultValue : Number(body[name]);
  if (value >= 0 && value <= max) return value;
  throw invalidParamError(name, `${name} must be a number from 0 to ${max}.`);
}
