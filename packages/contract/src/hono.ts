import type {
  Context,
  Env as HonoEnv,
  ErrorHandler,
  MiddlewareHandler,
  NotFoundHandler,
} from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { z } from 'zod';
import { ConnectError, invalidRequest } from './error.ts';

/** Largest request body; every body of this project fits into a fraction of it. */
export const MAX_BODY_BYTES = 64 * 1024;

const limitBodySize = bodyLimit({
  maxSize: MAX_BODY_BYTES,
  onError: () => {
    throw new ConnectError('payload_too_large', `The body is larger than ${MAX_BODY_BYTES} bytes.`);
  },
});

/**
 * Refuses a body larger than `MAX_BODY_BYTES` before it is read to its end.
 *
 * Not of a GET, which nobody reads: looking for it would cost as much as answering.
 */
export const limitBody: MiddlewareHandler = (c, next) =>
  c.req.method === 'GET' || c.req.method === 'HEAD' ? next() : limitBodySize(c, next);

/** How a page that can solve a challenge says so, in `Accept`. */
const CHALLENGE_TYPE = 'application/vnd.connect.challenge+json';

/**
 * Answers with the challenge itself, and 200, where a page that accepts one would get 428: browsers print
 * every 4xx in red, and an honest donor did nothing wrong. The donation still waits for the proof.
 *
 * @param challenge as `POST /challenges` makes it, which counts as an attempt as well
 */
export const challengeInResponse =
  <E extends HonoEnv>(
    challenge: (c: Context<E>, trapped: boolean) => Promise<object>,
  ): MiddlewareHandler<E> =>
  async (c, next) => {
    await next();
    if (c.res.status !== 428 || !c.req.header('accept')?.includes(CHALLENGE_TYPE)) return;
    const { website } = (await c.req.json()) as { website?: unknown };
    const body = JSON.stringify(await challenge(c, Boolean(website)));
    c.res = c.body(body, 200, { 'Content-Type': CHALLENGE_TYPE });
  };

/** What stands in front of a handler asks for; the API's own description is made from it. */
export interface RouteRequirements {
  query?: z.ZodType;
  body?: z.ZodType;
  mayBeEmpty?: boolean;
  /** The scope that a credential needs. */
  scope?: string;
}

const REQUIREMENTS = Symbol('demand');

/** Writes on a rule what it asks for, so that what is described is what is checked. */
export const withRequirements = <Middleware extends object>(
  requirements: RouteRequirements,
  middleware: Middleware,
): Middleware => Object.assign(middleware, { [REQUIREMENTS]: requirements });

/** Reads it off again; empty for whatever asks for nothing. */
export const requirementsOf = (middleware: object): RouteRequirements =>
  (middleware as { [REQUIREMENTS]?: RouteRequirements })[REQUIREMENTS] ?? {};

/**
 * Reads and checks a JSON body; the handler finds it as `c.req.valid('json')`.
 *
 * @param options.mayBeEmpty an absent body counts as `{}`
 * @throws {ConnectError} `unsupported_media_type`, or `invalid_request` naming the first bad field
 */
export const jsonBody = <Schema extends z.ZodType>(
  schema: Schema,
  { mayBeEmpty = false } = {},
): MiddlewareHandler<
  object,
  string,
  { in: { json: z.input<Schema> }; out: { json: z.output<Schema> } }
> =>
  withRequirements({ body: schema, mayBeEmpty }, async (c, next) => {
    const value = await readBody(c, mayBeEmpty);
    c.req.addValidatedData('json', validate(schema, value, 'body') as object);
    await next();
  });

async function readBody(c: Context, mayBeEmpty: boolean): Promise<unknown> {
  const bytes = await c.req.arrayBuffer();
  if (bytes.byteLength === 0 && mayBeEmpty) return {};
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new ConnectError('unsupported_media_type', 'Content-Type: must be application/json.');
  }
  try {
    // Bytes that are no UTF-8 would become question marks in somebody's name (RFC 8259, 8.1).
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return JSON.parse(text, ESCAPED_SURROGATE.test(text) ? rejectLoneSurrogate : undefined);
  } catch (error) {
    if (error instanceof ConnectError) throw error;
    throw invalidRequest('body', 'is not valid JSON.');
  }
}

/** An escaped surrogate; nearly every one has its other half beside it. */
const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;

/**
 * Half of a character, as of an emoji that was cut in two, has no bytes: neither the card processor
 * nor the database takes it.
 */
function rejectLoneSurrogate(name: string, value: unknown): unknown {
  if (name.isWellFormed() && (typeof value !== 'string' || value.isWellFormed())) return value;
  throw invalidRequest(name.toWellFormed() || 'body', 'has half of a character.');
}

/**
 * Checks the query; a parameter that the route does not know, or that comes twice, is refused.
 *
 * @throws {ConnectError} `invalid_request` naming the first bad parameter
 */
export const queryParams = <Schema extends z.ZodType>(
  schema: Schema,
): MiddlewareHandler<
  object,
  string,
  { in: { query: z.input<Schema> }; out: { query: z.output<Schema> } }
> =>
  withRequirements({ query: schema }, (c, next) => {
    c.req.addValidatedData(
      'query',
      ((c as Context).get(PARSED_QUERY) ?? parseQuery(c, schema)) as object,
    );
    return next();
  });

/** Where a query waits that was read ahead of its rule. */
const PARSED_QUERY = 'query read ahead';

/**
 * Reads a query before it is the turn of `queryParams` with the same schema, which then takes it as it is.
 *
 * @returns undefined for one that is not valid: to say so is left to that rule
 */
export function parseQueryEarly<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
): z.output<Schema> | undefined {
  try {
    const query = parseQuery(c, schema);
    c.set(PARSED_QUERY, query);
    return query;
  } catch {
    return undefined;
  }
}

function parseQuery<Schema extends z.ZodType>(c: Context, schema: Schema): z.output<Schema> {
  const entries = Object.entries(c.req.queries());
  const duplicate = entries.find(([, values]) => values.length > 1);
  if (duplicate) throw invalidRequest(duplicate[0], 'must be given once.');
  const query = Object.fromEntries(entries.map(([name, [value]]) => [name, value]));
  return validate(schema, query, 'query');
}

/**
 * Parses with a schema, and says the first problem as the project's own error.
 *
 * @param subject what to name when the problem is not in one field
 * @throws {ConnectError} `invalid_request`
 */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  subject: string,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const name = [...issue.path, issue.keys[0]].join('.');
    throw invalidRequest(name, 'is not known here.');
  }
  throw invalidRequest(issue?.path.join('.') || subject, issue?.message ?? 'is not valid.');
}

/**
 * Turns whatever was thrown into the one error body; what is not ours becomes a bare 500.
 *
 * @param logUnexpected receives what was not foreseen, for the log; it never reaches the answer
 */
export const errorHandler =
  (logUnexpected: (error: Error, c: Context) => void): ErrorHandler =>
  (thrown, c) => {
    const error =
      thrown instanceof ConnectError
        ? thrown
        : new ConnectError('server_error', 'Something went wrong on our side.');
    if (error !== thrown) logUnexpected(thrown, c);
    if (error.retryAfterSeconds !== undefined) {
      c.header('Retry-After', String(error.retryAfterSeconds));
    }
    const challenge = wwwAuthenticate(error, c);
    if (challenge) c.header('WWW-Authenticate', challenge);
    // The rest of the body is never read, so nothing can follow it on this connection.
    if (error.type === 'payload_too_large') c.header('Connection', 'close');
    return c.json(error.toJSON(), error.status);
  };

/** What a program reads instead of the message (RFC 6750, 3): nothing of an absent token. */
function wwwAuthenticate({ type }: ConnectError, c: Context): string | undefined {
  if (type === 'insufficient_scope') return 'Bearer error="insufficient_scope"';
  if (type !== 'unauthorized') return undefined;
  const token = /^Bearer +\S/i.test(c.req.header('authorization') ?? '');
  return token ? 'Bearer error="invalid_token"' : 'Bearer';
}

/** The envelope for a path that no route has. */
export const notFoundHandler: NotFoundHandler = (c) =>
  c.json(new ConnectError('not_found', `No ${c.req.method} ${c.req.path} here.`).toJSON(), 404);
