import { ConnectError } from '@connect-embed/contract';
import { createMiddleware } from 'hono/factory';
import type { Deps, Env } from '../app.ts';
import { findCredential } from './credential.ts';

/**
 * Finds out who is asking (spec: Authentication); the handler finds it as `c.var.credential`.
 *
 * @throws {ConnectError} `unauthorized`, with one message for every cause but an absent header:
 * whoever guesses tokens learns nothing from it
 */
export const authenticate = ({ db }: Deps) =>
  createMiddleware<Env>(async (c, next) => {
    const header = c.req.header('authorization');
    if (!header) {
      throw new ConnectError('unauthorized', 'Authorization: Bearer <token> is missing.');
    }
    const token = /^Bearer +([\w.-]+) *$/i.exec(header)?.[1];
    const credential = token && (await findCredential(db, token));
    if (!credential) {
      throw new ConnectError('unauthorized', 'The token is not valid, has expired or was revoked.');
    }
    c.set('credential', credential);
    await next();
  });
