import type { Context } from 'hono';
import type { Env } from '../app.ts';
import type { Kind } from '../books.ts';
import { type Form, parseForm } from '../form.ts';
import { integer, type Reader, readParams, text, texts } from '../params.ts';
import { expand } from '../show.ts';
import { invalidParam } from '../stripe-error.ts';

const DEFAULT_LIMIT = 10;

const limit: Reader<number> = (value, name) => {
  const rows = integer(value, name);
  if (rows >= 1 && rows <= 100) return rows;
  throw invalidParam(name, `Invalid ${name}: must be between 1 and 100`);
};

const PAGE = {
  limit,
  starting_after: text,
  ending_before: text,
  expand: texts,
  type: text,
  types: texts,
};

/** Everything after `?`, read as Stripe nests it. */
export const queryOf = (c: Context): Form => parseForm(new URL(c.req.url).search);

/** Stripe's list envelope, newest first. */
export function listPage(c: Context<Env>, kind: Kind) {
  const { expand: paths, type, types, ...page } = readParams(queryOf(c), PAGE);
  const wanted = type === undefined ? types : [type];
  const found = c.var.books.list(kind, { limit: DEFAULT_LIMIT, ...page }, wanted);
  return c.json(expand(c.var.books, { object: 'list', url: c.req.path, ...found }, paths));
}
