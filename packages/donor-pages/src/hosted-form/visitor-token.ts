import { ConnectError, type EmbedSession } from '@connect-embed/contract';
import { parseBearer } from '@connect-embed/contract/hono';
import { createMiddleware } from 'hono/factory';
import { z } from 'zod';
import type { Env } from '@connect-embed/api/http/env';
import type { Deps } from '../deps.ts';
import { findEmbedSessionById } from '@connect-embed/api/auth/session';

/**
 * Content of a visitor token: the embed session id and the expiry in milliseconds since the epoch.
 */
const VisitorToken = z.strictObject({ session: z.string(), until: z.int() });

/**
 * Creates an encrypted token for a visitor of the hosted page. It is not stored. The session's own
 * token is known only to the credential that created the session:
 * docs/decisions/0023-hosted-page.md
 */
export const createVisitorToken = (
  { visitorEncrypter }: Deps,
  { id, expires_at }: Pick<EmbedSession, 'id' | 'expires_at'>,
): Promise<string> =>
  visitorEncrypter.encrypt(JSON.stringify({ session: id, until: Date.parse(expires_at) }));

/**
 * Middleware that sets the embed session of the visitor token as the credential of the request.
 *
 * @throws {ConnectError} `unauthorized`, with one message for all causes
 */
export const requireVisitor = (deps: Deps) =>
  createMiddleware<Env, '/:id/:what'>(async (c, next) => {
    const token = parseBearer(c.req.header('authorization'));
    const session = token && (await readVisitorToken(deps, token));
    const requestedSessionId = c.req.param('id');
    const credential =
      session === requestedSessionId && (await findEmbedSessionById(deps.db, requestedSessionId));
    if (!credential) {
      throw new ConnectError(
        'unauthorized',
        'The visitor token is invalid or has expired. Reload the page.',
        { code: 'visitor_token_invalid' },
      );
    }
    c.set('credential', credential);
    await next();
  });

async function readVisitorToken(
  { visitorEncrypter }: Deps,
  token: string,
): Promise<string | undefined> {
  const text = await visitorEncrypter.decrypt(token);
  const payload = VisitorToken.safeParse(JSON.parse(text ?? 'null'));
  return payload.success && payload.data.until > Date.now() ? payload.data.session : undefined;
}
