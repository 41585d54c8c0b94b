import { HoneypotField } from '@connect-embed/contract';
import { jsonBody } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import type { Deps } from '../deps.ts';
import { toAttempt, requireVisitor, type VisitorEnv } from './require-visitor.ts';

/**
 * `POST /challenges` returns a proof-of-work or CAPTCHA challenge for a donation that was rejected
 * with `proof_required`. The request has the `Idempotency-Key` of the donation, and the proof is
 * valid for that donation only.
 */
export const challengeRoutes = ({ visitorTokens, sessions, guard, address }: Deps) =>
  new Hono<VisitorEnv>().post(
    '/',
    requireVisitor(visitorTokens),
    jsonBody(HoneypotField, { mayBeEmpty: true }),
    async (c) => {
      const organization = sessions.organizationOf(c.get('visitor').form);
      const attempt = toAttempt(c, organization, address(c));
      return c.json(await guard.challenge(attempt, Boolean(c.req.valid('json').website)), 201);
    },
  );
