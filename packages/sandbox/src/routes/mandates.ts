import { Hono } from 'hono';
import { expand } from '../expand-ids.ts';
import { secretKeyOnly } from '../credential.ts';
import type { Env } from '../env.ts';
import { readParams, texts } from '../params.ts';
import { parseQuery } from '../resource-routes.ts';

/** `/v1/mandates` of the simulated Stripe API, which can only be retrieved. */
export const mandates = () =>
  new Hono<Env>().use(secretKeyOnly).get('/:id', (c) => {
    const { expand: paths } = readParams(parseQuery(c), { expand: texts });
    return c.json(expand(c.var.ledger, c.var.ledger.find('mandate', c.req.param('id')), paths));
  });
