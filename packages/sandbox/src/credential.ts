import { createMiddleware } from 'hono/factory';
import type { Env } from './env.ts';
import { Ledger } from './ledger.ts';
import { newId } from './ids.ts';
import { type ApiKey, parseOwnKey } from './own-accounts.ts';
import { StripeError } from './stripe-error.ts';
import { API_VERSION, PLATFORM_ACCOUNT } from './stripe-types.ts';

/** API keys of the only platform in the sandbox. They protect nothing of value. */
const PLATFORM_KEYS: Readonly<Record<string, ApiKey>> = {
  sk_test_sandbox: { kind: 'secret', account: PLATFORM_ACCOUNT },
  pk_test_sandbox: { kind: 'publishable', account: PLATFORM_ACCOUNT },
};

/**
 * Adds Stripe's response headers: a request id, the API version, and headers copied from the
 * request.
 */
export const requestId = createMiddleware<Env>(async (c, next) => {
  c.set('requestId', newId('req'));
  await next();
  const { headers } = c.res; // `c.header` would copy the response for each header.
  headers.set('Request-Id', c.get('requestId'));
  headers.set('Stripe-Version', API_VERSION);
  for (const name of ['Idempotency-Key', 'Stripe-Account']) {
    const value = c.req.header(name);
    if (value) headers.set(name, value);
  }
});

/**
 * Authenticates the request and opens the ledger of its account. Servers use the secret key;
 * browsers use the publishable key, and must also send the client secret of the intent.
 */
export const credential = createMiddleware<Env>(async (c, next) => {
  const text = parseApiKey(c.req.header('authorization'));
  const key = PLATFORM_KEYS[text] ?? parseOwnKey(text);
  if (!key) throw unauthorized(text);
  requirePermission(key, c.req.path);
  c.set('browser', key.kind === 'publishable');
  c.set('keyAccount', key.account);
  c.set(
    'ledger',
    new Ledger(
      {
        db: c.var.deps.db,
        now: c.var.deps.clock.now,
        faults: c.var.deps.faults,
        url: new URL(c.req.url).origin,
      },
      parseAccountHeader(key, c.req.header('stripe-account')),
      {
        requestId: c.var.requestId,
        idempotencyKey: c.req.header('idempotency-key') ?? null,
      },
    ),
  );
  await next();
});

/** Rejects requests with the publishable key. */
export const secretKeyOnly = createMiddleware<Env>(async (c, next) => {
  if (c.var.browser) {
    throw new StripeError(403, {
      type: 'invalid_request_error',
      code: 'secret_key_required',
      message:
        'This API call cannot be made with a publishable API key. Please use a secret API key.',
    });
  }
  await next();
});

/** Parses `Bearer key`, or `Basic` with the key as user name (curl's `-u key:`). */
function parseApiKey(header = ''): string {
  const [scheme = '', value = ''] = header.split(' ');
  if (scheme.toLowerCase() === 'bearer') return value;
  if (scheme.toLowerCase() !== 'basic') return '';
  return Buffer.from(value, 'base64').toString().split(':')[0] ?? '';
}

/** Restricted keys may not use webhook endpoints, nor the path that is named in the key. */
function requirePermission({ kind, deniedPath }: ApiKey, path: string) {
  const resource = path.split('/')[2];
  const isDenied = resource === 'webhook_endpoints' || resource === deniedPath;
  if (kind !== 'restricted' || !isDenied) return;
  throw new StripeError(403, {
    type: 'invalid_request_error',
    message: 'The provided key does not have the required permissions for this endpoint.',
  });
}

/**
 * The platform has access to every well-formed account id, so that seed data may contain any account
 * id. An account with its own keys has access to itself only.
 */
function parseAccountHeader({ account }: ApiKey, header: string | undefined): string {
  if (header === undefined || header === account) return account;
  if (account === PLATFORM_ACCOUNT && /^acct_\w{1,60}$/.test(header)) return header;
  throw new StripeError(403, {
    type: 'invalid_request_error',
    code: 'account_invalid',
    message: `The provided key does not have access to account '${header.slice(0, 70)}' (or that account does not exist). Application access may have been revoked.`,
  });
}

const unauthorized = (key: string) =>
  new StripeError(401, {
    type: 'invalid_request_error',
    message: key
      ? `Invalid API Key provided: ${key.slice(0, 8)}****${key.slice(-4)}`
      : "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
  });
