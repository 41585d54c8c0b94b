import { Hono } from 'hono';
import type { Env } from '../app.ts';
import type { Kind } from '../books.ts';
import { secretKeyOnly } from '../credential.ts';
import { readParams, texts } from '../params.ts';
import { expand } from '../show.ts';
import { listPage, queryOf } from './list-page.ts';

/** Charges, balance transactions and events: what happened, to be read only. */
export const records = (kind: Kind) =>
  new Hono<Env>()
    .use(secretKeyOnly)
    .get('/', (c) => listPage(c, kind))
    .get('/:id', (c) => {
      const { expand: paths } = readParams(queryOf(c), { expand: texts });
      return c.json(expand(c.var.books, c.var.books.find(kind, c.req.param('id')), paths));
    });
