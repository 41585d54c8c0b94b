import { Trap } from '@connect-embed/contract';
import { jsonBody } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import type { Deps } from '../app.ts';
import { toAttempt, requireVisitor, type VisitorEnv } from './require-visitor.ts';

/**
 * `POST /challenges`: what to answer before a gift is tried that was refused with
 * `proof_required`. Carries the gift's own `Idempotency-Key`: the answer is good for that gift.
 */
export const challenges = ({ visitorTokens, sessions, guard, address }: Deps) =>
  new Hono<VisitorEnv>().post(
    '/',
    requireVisitor(visitorTokens),
    jsonBody(Trap, { mayBeEmpty: true }),
    async (c) => {
      const { organization } = await sessions.get(c.var.visitor.form);
      const attempt = toAttempt(c.var, organization, address(c));
      return c.json(await guard.challenge(attempt, Boolean(c.req.valid('json').website)), 201);
    },
  );
