import type {
  Context,
  Env as HonoEnv,
  ErrorHandler,
  MiddlewareHandler,
  NotFoundHandler,
} from 'hono';
import { accepts } from 'hono/accepts';
import { bodyLimit } from 'hono/body-limit';
import { timingSafeEqual } from 'hono/utils/buffer';
import { z } from 'zod';
import { describeIssue } from './describe-issue.ts';
import type { ErrorCode } from './error-codes.ts';
import { ConnectError, errorBody, invalidRequest } from './error.ts';
import { statusOf } from './error-status.ts';
import { listSecrets, type Secrets } from './secrets.ts';

/** Largest accepted request body in bytes; every legitimate body is much smaller. */
export const MAX_BODY_BYTES = 64 * 1024;

/**
 * Creates a middleware that rejects a larger body before the rest of it is read.
 *
 * Hono's check makes a stream of every body, which costs as much as a whole short response. It is only
 * needed for a body whose length is unknown; the bodies of GET and HEAD are read by no route.
 */
export function limitBodyTo(maxBytes: number): MiddlewareHandler {
  const limitStream = bodyLimit({
    maxSize: maxBytes,
    onError: () => {
      throw new ConnectError('payload_too_large', `The body is larger than ${maxBytes} bytes.`);
    },
  });
  return (c, next) => {
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return next();
    const length = Number(c.req.header('content-length') ?? NaN);
    const isShort = length <= maxBytes && c.req.header('transfer-encoding') === undefined;
    return isShort ? next() : limitStream(c, next);
  };
}

export const limitBody = limitBodyTo(MAX_BODY_BYTES);

/** Minimum size of a compressed body. A smaller one fits into one packet anyway. */
const MIN_COMPRESSED_BYTES = 1_000;

/** Functions that compress a body, by content coding, the preferred one first: `br`, `gzip`. */
export type Compressors = Record<string, (body: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>>;

/** Returns the first of these content codings that the client accepts. Browsers list all with the same weight. */
export const acceptedCoding = <Coding extends string>(c: Context, codings: readonly Coding[]) =>
  codings.find(
    (coding) =>
      accepts(c, { header: 'Accept-Encoding', supports: [coding], default: '' }) === coding,
  );

/** Compresses successful JSON responses to requests of one method, for clients that accept a coding. */
export const compressJson =
  (method: 'GET' | 'POST', compressors: Compressors): MiddlewareHandler =>
  async (c, next) => {
    await next();
    const isJson = c.res.headers.get('content-type')?.startsWith('application/json');
    if (c.req.method !== method || !c.res.ok || !isJson) return;
    const coding = acceptedCoding(c, Object.keys(compressors));
    if (!coding) return;
    const body = new Uint8Array(await c.res.arrayBuffer());
    if (body.length < MIN_COMPRESSED_BYTES) {
      c.res = new Response(body, c.res);
      return;
    }
    c.res = new Response(await compressors[coding]!(body), c.res);
    c.res.headers.set('Content-Encoding', coding);
    c.res.headers.append('Vary', 'Accept-Encoding');
  };

/** Returns the token of an `Authorization: Bearer` header (RFC 6750, 2.1). */
export const parseBearer = (authorization: string | null | undefined): string | undefined =>
  /^Bearer +([\w.~+/=-]+) *$/i.exec(authorization ?? '')?.[1];

/**
 * Requires the bearer token `METRICS_TOKEN`, or during a rotation one of several.
 *
 * An allow-list of network addresses would not protect `/metrics`, because behind a proxy all requests
 * come from the same machine.
 *
 * @throws {ConnectError} `unauthorized`
 */
export const requireMetricsToken =
  (tokens: Secrets): MiddlewareHandler =>
  async (c, next) => {
    const token = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? '';
    const matches = await Promise.all(
      listSecrets(tokens).map((expected) => timingSafeEqual(token, expected)),
    );
    if (!matches.includes(true)) {
      throw new ConnectError('unauthorized', 'Authorization: Bearer <METRICS_TOKEN> is missing.', {
        code: 'credential_missing',
      });
    }
    await next();
  };

/** A page that can solve a challenge sends this type in `Accept`. */
const CHALLENGE_TYPE = 'application/vnd.connect.challenge+json';

/**
 * Replaces a 428 with the challenge itself and status 200, if the page accepts one.
 *
 * Browsers print every 4xx in red on the console, although the donor did nothing wrong. The
 * donation still requires the proof.
 *
 * @param challenge creates a challenge as `POST /challenges` does, which also counts as an attempt;
 *   `honeypotFilled` means that the honeypot field was filled in
 */
export const challengeInResponse =
  <E extends HonoEnv>(
    challenge: (c: Context<E>, honeypotFilled: boolean) => Promise<object>,
  ): MiddlewareHandler<E> =>
  async (c, next) => {
    await next();
    if (c.res.status !== 428 || !c.req.header('accept')?.includes(CHALLENGE_TYPE)) return;
    const { website } = (await c.req.json()) as { website?: unknown };
    const body = JSON.stringify(await challenge(c, Boolean(website)));
    c.res = c.body(body, 200, { 'Content-Type': CHALLENGE_TYPE });
  };

/**
 * Requirements of a route that its middleware enforces. The OpenAPI document is generated from
 * them.
 */
export interface RouteRequirements {
  query?: z.ZodType;
  body?: z.ZodType;
  mayBeEmpty?: boolean;
  /** The scope that the credential needs. */
  scope?: string;
}

const REQUIREMENTS = Symbol('requirements');

/** Attaches requirements to a middleware, so that the documented rule is the enforced rule. */
export const withRequirements = <Middleware extends object>(
  requirements: RouteRequirements,
  middleware: Middleware,
): Middleware => Object.assign(middleware, { [REQUIREMENTS]: requirements });

/** Returns the requirements of a middleware; `{}` if it has none. */
export const requirementsOf = (middleware: object): RouteRequirements =>
  (middleware as { [REQUIREMENTS]?: RouteRequirements })[REQUIREMENTS] ?? {};

/**
 * Parses and validates a JSON body; the handler gets it from `c.req.valid('json')`.
 *
 * @param options.mayBeEmpty an absent body counts as `{}`
 * @throws {ConnectError} `unsupported_media_type`, or `invalid_request` naming the first invalid
 *   field
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
    throw new ConnectError('unsupported_media_type', 'Content-Type must be application/json.', {
      param: 'Content-Type',
    });
  }
  try {
    const text = strictUtf8.decode(bytes);
    return JSON.parse(text, ESCAPED_SURROGATE.test(text) ? rejectLoneSurrogate : undefined);
  } catch (error) {
    if (error instanceof ConnectError) throw error;
    throw invalidRequest('body', 'is not valid JSON.', { code: 'body_not_json' });
  }
}

/** A lenient decoder would replace invalid UTF-8 in a name by question marks (RFC 8259, 8.1). */
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Matches an escaped surrogate. In nearly all texts, the other half of the pair follows it. */
const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;

/**
 * Rejects half of a surrogate pair, for example of an emoji that was cut in two. It cannot be
 * encoded in UTF-8, and neither Stripe nor PostgreSQL accepts it.
 */
function rejectLoneSurrogate(name: string, value: unknown): unknown {
  if (name.isWellFormed() && (typeof value !== 'string' || value.isWellFormed())) return value;
  throw invalidRequest(name.toWellFormed() || 'body', 'contains an incomplete character.');
}

/**
 * Validates the query; rejects unknown and repeated parameters.
 *
 * @throws {ConnectError} `invalid_request` naming the first invalid parameter
 */
export const queryParams = <Schema extends z.ZodType>(
  schema: Schema,
): MiddlewareHandler<
  object,
  string,
  { in: { query: z.input<Schema> }; out: { query: z.output<Schema> } }
> =>
  withRequirements({ query: schema }, (c, next) => {
    c.req.addValidatedData('query', parseQuery(c, schema) as object);
    return next();
  });

/** Query schema of a route without parameters. It rejects every parameter. */
export const NoQuery = z.strictObject({});

function parseQuery<Schema extends z.ZodType>(c: Context, schema: Schema): z.output<Schema> {
  const entries = Object.entries(c.req.queries());
  const duplicate = entries.find(([, values]) => values.length > 1);
  if (duplicate)
    throw invalidRequest(duplicate[0], 'must be given only once.', {
      code: 'parameter_repeated',
    });
  const query = Object.fromEntries(entries.map(([name, [value]]) => [name, value]));
  return validate(schema, query, 'query');
}

/**
 * Parses a value with a schema and converts the first problem to an error of this project.
 *
 * @param subject the name in the message if the problem is not in a single field
 * @throws {ConnectError} `invalid_request`
 */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  subject: string,
): z.output<Schema> {
  const result = schema.safeParse(value, { error: describeIssue, reportInput: true });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const name = [...issue.path, issue.keys[0]].join('.');
    throw invalidRequest(name, 'is not a known parameter.', { code: 'parameter_unknown' });
  }
  const isMissing = issue !== undefined && issue.input === undefined;
  throw invalidRequest(issue?.path.join('.') || subject, issue?.message ?? 'is not valid.', {
    code: isMissing ? 'parameter_missing' : 'parameter_invalid',
  });
}

/**
 * Converts every thrown error to the error body; an unexpected error becomes a 500 without details.
 *
 * @param logUnexpected logs an unexpected error, which is never part of the response
 * @param docUrlOf returns the URL of a code's documentation; by default, a forwarded error keeps
 * its own
 */
export const errorHandler =
  (
    logUnexpected: (error: Error, c: Context) => void,
    docUrlOf?: (code: ErrorCode) => string,
  ): ErrorHandler =>
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
    // The rest of the body is not read, so the connection cannot be reused.
    if (error.type === 'payload_too_large') c.header('Connection', 'close');
    return respondWithError(c, error, docUrlOf?.(error.code));
  };

/** Value of `WWW-Authenticate` (RFC 6750, 3); without an error code if the request had no token. */
function wwwAuthenticate({ type }: ConnectError, c: Context): string | undefined {
  if (type === 'insufficient_scope') return 'Bearer error="insufficient_scope"';
  if (type !== 'unauthorized') return undefined;
  const token = /^Bearer +\S/i.test(c.req.header('authorization') ?? '');
  return token ? 'Bearer error="invalid_token"' : 'Bearer';
}

/** The error response for a path without a route. */
export const notFoundHandler: NotFoundHandler = (c) => respondWithError(c, routeNotFound(c));

export const routeNotFound = (c: Context) =>
  new ConnectError('not_found', `No route matches ${c.req.method} ${c.req.path}.`, {
    code: 'route_not_found',
  });

/** Sends the error body with the request's id, as in the header `Request-Id`. */
const respondWithError = (c: Context, error: ConnectError, docUrl?: string) => {
  const requestId = c.get('requestId') as string | undefined;
  return c.json(errorBody(error, { requestId, docUrl }), statusOf(error));
};
