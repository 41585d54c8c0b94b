/**
 * Shared code of the routes that simulate Stripe's API: parameters, idempotency, lists and
 * responses.
 */
import { type Context, Hono } from 'hono';
import type { Env } from './env.ts';
import type { Ledger } from './ledger.ts';
import { secretKeyOnly } from './credential.ts';
import { type Form, parseForm, readForm } from './form-encoding.ts';
import type { ListPage, Range } from './list-filters.ts';
import type { JsonResponse } from './idempotency.ts';
import {
  type Reader,
  type Readers,
  integer,
  fields,
  metadata,
  readParams,
  text,
  texts,
} from './params.ts';
import { expand } from './expand-ids.ts';
import type { StripeError } from './stripe-error.ts';
import { invalidParamError } from './stripe-error.ts';
import type { Kind } from './stripe-types.ts';

type Read<R extends Readers> = ReturnType<typeof readParams<R>>;

/** Parses the query with Stripe's nesting. */
export const parseQuery = (c: Context): Form => parseForm(new URL(c.req.url).search);

/**
 * Parses the form with a table of readers, and runs `work` once (idempotency key) in one
 * transaction.
 */
export async function runIdempotently<R extends Readers>(
  c: Context<Env>,
  readers: R,
  work: (params: Read<R>) => JsonResponse,
) {
  const inQuery = c.req.method === 'DELETE' && parseQuery(c);
  const form = { ...inQuery, ...(await readForm(c.req.raw)) };
  const params = readParams(form, readers);
  const { body, status, replayOf } = await c.var.deps.idempotency.run(
    {
      account: c.var.ledger.account,
      key: c.req.header('idempotency-key'),
      path: c.req.path,
      form,
      requestId: c.var.requestId,
    },
    () => work(params),
  );
  if (replayOf) c.header('Idempotent-Replayed', 'true');
  if (replayOf) c.header('Original-Request', replayOf);
  return c.body(body, status, { 'content-type': 'application/json' });
}

/** An error response whose transaction is committed, unlike a thrown `StripeError`. */
export class CommittedError {
  readonly status = 402;
  readonly error: StripeError['error'];

  constructor(error: StripeError['error']) {
    this.error = error;
  }
}

/** The input of an action. `id` is the id in the path. */
export type ActionContext<R extends Readers> = {
  ledger: Ledger;
  params: Read<R>;
  id: string;
};

/** A route that changes data: parses the parameters, runs `work` and expands the result. */
export const action =
  <R extends Readers>(readers: R, work: (call: ActionContext<R>) => object | CommittedError) =>
  (c: Context<Env>) =>
    runIdempotently(c, { ...readers, expand: texts }, (read) => {
      const { expand: paths, ...params } = read as { expand?: string[] };
      const id = c.req.param('id') ?? '';
      const { ledger } = c.var;
      const result = work({ ledger, params: params as Read<R>, id });
      if (result instanceof CommittedError) {
        return { status: 402, body: JSON.stringify({ error: result.error }) };
      }
      return { status: 200, body: JSON.stringify(expand(ledger, result, paths)) };
    });

/** The action of an object of which only the metadata can be changed. */
export const updateMetadata = (kind: 'charge' | 'refund') =>
  action({ metadata }, ({ ledger, id, params }) => {
    const object = ledger.find(kind, id);
    object.metadata = mergeMetadata(object.metadata, params.metadata);
    ledger.emit(`${kind}.updated`, ledger.save(object));
    return object;
  });

const DEFAULT_LIMIT = 10;

const limit: Reader<number> = (value, name) => {
  const rows = integer(value, name);
  if (rows >= 1 && rows <= 100) return rows;
  throw invalidParamError(name, `Invalid ${name}: must be between 1 and 100`);
};

const PAGE_PARAMS = {
  limit,
  starting_after: text,
  expand: texts,
  created: fields({ gte: integer }),
};

/** A filter of a list: a parameter, and the field (or JSON path) that must be equal to it. */
type Filter = {
  read: Reader<string>;
  field: string;
  hidden?: boolean;
  /**
   * Returns the field values that match the parameter, which may be absent; undefined matches any
   * value.
   */
  expandValue?: (requestedValue?: string) => readonly string[] | undefined;
};
type Filters = Record<string, Filter>;

/** Filters on fields with the name of the parameter. */
export const filterBy = (...names: string[]): Filters =>
  Object.fromEntries(names.map((field) => [field, { read: text, field }]));

/** A filter may be named `payment[type]`, which the form parser nests. */
const flattenGroups = (form: Form, filters: Filters): Form => {
  const groups = Object.keys(filters).map((name) => name.split('[')[0]);
  const entries = Object.entries(form).flatMap(([name, value]): [string, string | Form][] =>
    typeof value === 'string' || !groups.includes(name)
      ? [[name, value]]
      : Object.entries(value).map(([key, each]) => [`${name}[${key}]`, each]),
  );
  return Object.fromEntries(entries);
};

type ListParams = Partial<ListPage> & {
  expand?: string[];
  created?: Range;
  types?: string[];
};

/** Returns a page of a list in Stripe's format, newest first. */
export function listPage(c: Context<Env>, kind: Kind, filters: Filters = {}) {
  const params = readListParams(c, kind, filters);
  const { expand: paths, created, types, limit: pageSize = DEFAULT_LIMIT } = params;
  const values: Record<string, unknown> = params;
  const { has_more, data } = c.var.ledger.list(
    kind,
    { ...params, limit: pageSize },
    {
      fields: { ...requestedFields(filters, values, false), ...(types && { type: types }) },
      hidden: requestedFields(filters, values, true),
      created,
    },
  );
  const list = { object: 'list', url: c.req.path, has_more, data };
  return c.json(expand(c.var.ledger, list, paths));
}

/** Parses the query of a list: pagination, `expand` and filters. */
function readListParams(c: Context<Env>, kind: Kind, filters: Filters): ListParams {
  const filterReaders = Object.entries(filters).map(([name, { read }]) => [name, read] as const);
  return readParams(flattenGroups(parseQuery(c), filters), {
    ...PAGE_PARAMS,
    ...Object.fromEntries(filterReaders),
    ...(kind === 'event' && { types: texts }),
  }) as ListParams;
}

/** The fields, or hidden fields, that must have the values of the query's filters. */
const requestedFields = (filters: Filters, values: Record<string, unknown>, hidden: boolean) =>
  Object.fromEntries(
    Object.entries(filters)
      .filter(([, filter]) => Boolean(filter.hidden) === hidden)
      .map(([name, { field, expandValue }]) => {
        const requestedValue = values[name] as string | undefined;
        return [field, expandValue ? expandValue(requestedValue) : requestedValue];
      }),
  );

/** The routes for listing and retrieving, which every kind of object has. */
export const listAndRetrieve = (kind: Kind, filters: Filters = {}) =>
  new Hono<Env>()
    .use(secretKeyOnly)
    .get('/', (c) => listPage(c, kind, filters))
    .get('/:id', (c) => {
      const { expand: paths } = readParams(parseQuery(c), { expand: texts });
      return c.json(expand(c.var.ledger, c.var.ledger.find(kind, c.req.param('id')), paths));
    });

/**
 * Merges metadata as Stripe does. An empty value removes its key; an empty parameter (parsed as no
 * keys) removes all keys.
 */
export function mergeMetadata(
  old: Record<string, string> | null,
  change: Record<string, string> | undefined,
): Record<string, string> {
  if (!change) return old ?? {};
  if (Object.keys(change).length === 0) return {};
  return Object.fromEntries(
    Object.entries({ ...old, ...change }).filter(([, value]) => value !== ''),
  );
}
