import { ConnectError, type EmbedSession } from '@connect-embed/contract';
import { createMiddleware } from 'hono/factory';
import { z } from 'zod';
import type { Deps, Env } from '../env.ts';
import { findEmbedSessionById } from '../auth/session.ts';

/** What a visitor's token says: which embed session it may give under, and until when. */
const VisitorToken = z.strictObject({ session: z.string(), until: z.int() });

/**
 * A token for a visitor of the hosted page. Nothing is stored, and the session's own token stays
 * with whoever opened the session: docs/decisions/0023-hosted-page.md
 */
export const createVisitorToken = (
  { visitorEncrypter }: Deps,
  { id, expires_at }: Pick<EmbedSession, 'id' | 'expires_at'>,
): Promise<string> =>
  visitorEncrypter.encrypt(JSON.stringify({ session: id, until: Date.parse(expires_at) }));

/**
 * Makes the embed session of a visitor's token the credential of the request.
 *
 * @throws {ConnectError} `unauthorized`, with one message for whatever is wrong with the token
 */
export const requireVisitor = (deps: Deps) =>
  createMiddleware<Env, '/:id/:what'>(async (c, next) => {
    const token = /^Bearer +([\w.-]+) *$/i.exec(c.req.header('authorization') ?? '')?.[1];
    const session = token && (await readVisitorToken(deps, token));
    const asked = c.req.param('id');
    const credential = session === asked && (await findEmbedSessionById(deps.db, asked));
    if (!credential) {
      throw new ConnectError('unauthorized', 'The visit is not valid or is over; reload the page.');
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
