import { ConnectError, type Scope } from '@connect-embed/contract';
import { withRequirements } from '@connect-embed/contract/hono';
import { createMiddleware } from 'hono/factory';
import type { Env } from '../http/env.ts';
import type { Credential } from '../http/credential.ts';

/**
 * Middleware that rejects a credential without the scope (spec: Scopes).
 *
 * @param options.orEmbedSession also allows an embed session, which holds no scopes
 * @throws {ConnectError} `insufficient_scope` naming the scope
 */
export const requireScope = (scope: Scope, { orEmbedSession = false } = {}) =>
  withRequirements(
    { scope },
    createMiddleware<Env>(async (c, next) => {
      const credential = c.get('credential');
      if (!(orEmbedSession && credential.kind === 'embed_session')) checkScope(credential, scope);
      await next();
    }),
  );

/**
 * Rejects a credential without the scope.
 *
 * @throws {ConnectError} `insufficient_scope` naming the scope
 */
export function checkScope({ scopes }: Credential, scope: Scope): void {
  if (scopes.has(scope)) return;
  throw new ConnectError('insufficient_scope', `This request requires the scope ${scope}.`);
}
