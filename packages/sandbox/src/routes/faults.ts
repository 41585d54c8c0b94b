import { Hono } from 'hono';
import type { Env } from '../app.ts';
import { type Asked, bodyOf, done } from '../asked.ts';
import { FAULTS, type FaultName } from '../faults.ts';
import { invalidParam } from '../stripe-error.ts';

/** `/sandbox/faults`: what goes wrong on purpose, and how often it did. */
export const faultSwitches = () =>
  new Hono<Env>()
    .get('/', (c) => c.json({ object: 'list', data: c.var.deps.faults.list(), known: FAULTS }))
    .post('/', async (c) => {
      const asked = await bodyOf(c);
      return done(
        c,
        c.var.deps.faults.switchOn({
          name: nameOf(asked['name']),
          rate: numberOf(asked, 'rate', 1, 1),
          seed: typeof asked['seed'] === 'string' ? asked['seed'] : String(asked['seed'] ?? ''),
          left: asked['count'] === undefined ? null : numberOf(asked, 'count', 0, 1e9),
          ms: numberOf(asked, 'ms', 1000, 600_000),
          path: typeof asked['path'] === 'string' ? asked['path'] : '',
        }),
      );
    })
    .delete('/:name?', (c) => {
      const { faults } = c.var.deps;
      const name = c.req.param('name');
      const off = name === undefined ? faults.list().map((each) => each.name) : [nameOf(name)];
      for (const each of off) faults.switchOff(each);
      return c.json({ object: 'list', data: faults.list() });
    });

function nameOf(name: unknown): FaultName {
  if (typeof name === 'string' && Object.hasOwn(FAULTS, name)) return name as FaultName;
  throw invalidParam('name', `A fault is one of: ${Object.keys(FAULTS).join(', ')}.`);
}

function numberOf(asked: Asked, name: string, usual: number, most: number): number {
  const value = asked[name] === undefined ? usual : Number(asked[name]);
  if (value >= 0 && value <= most) return value;
  throw invalidParam(name, `${name} is a number from 0 to ${most}.`);
}
