import { ConnectError } from '@connect-embed/contract';
import { parseBearer } from '@connect-embed/contract/hono';
import { createMiddleware } from 'hono/factory';
import type { BaseDeps, Env } from '../http/env.ts';
import { createCredentialLookup } from './credential-lookup.ts';
import { applyRateLimit } from './rate-limit.ts';

/**
 * Middleware that finds the credential of a bearer token (spec: Authentication) and enforces its
 * rate limit of 120 requests per minute (spec: Limits). Handlers read the credential from
 * `c.var.credential`.
 *
 * @throws {ConnectError} `rate_limited`; `unauthorized`, with one message for all causes except a
 *   missing header, so that an attacker who guesses tokens learns nothing
 */
export const authenticate = ({ prepare }: Pick<BaseDeps, 'prepare'>) => {
  const findCredential = createCredentialLookup(prepare);
  return createMiddleware<Env>(async (c, next) => {
    const header = c.req.header('authorization');
    if (!header) {
      throw new ConnectError('unauthorized', 'Authorization: Bearer <token> is missing.', {
        code: 'credential_missing',
      });
    }
    const token = parseBearer(header);
    const result = token && (await findCredential(token));
    if (!result) {
      throw new ConnectError('unauthorized', 'The token is not valid, has expired or was revoked.');
    }
    const { kind, organization } = result.credential;
    // Readers of tables get the time zone in a header, because the resources of the specification have
    // no field for it: docs/decisions/0051-dates-and-time-zones.md
    if (kind === 'component_session') c.header('Time-Zone', organization.timeZone);
    c.set('credential', result.credential);
    applyRateLimit(c, result.budget);
    await next();
  });
};
