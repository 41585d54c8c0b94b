import { CreatePaymentIntent, applyDonationTerms, HoneypotField } from '@connect-embed/contract';
import { challengeInResponse, jsonBody } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import type { Deps } from '../deps.ts';
import { sendDonation } from '../sessions/send-donation.ts';
import { toAttempt, requireVisitor, type VisitorEnv } from './require-visitor.ts';

/**
 * Request body of the page. Session and origin follow from the page's token, so the page cannot choose them.
 */
const PageDonation = CreatePaymentIntent.omit({ embed_session_id: true, page_origin: true }).extend(
  HoneypotField.shape,
);

/**
 * `POST /payment-intents` creates a payment intent at the API with the credential of this server.
 *
 * Fund and allowed amounts come from the form's session, not from the page. What happens when a
 * donor submits the form, in this order:
 *
 * 1. `app.ts` has checked the origin and the size of the body. The middleware verifies the visitor's token, then
 *    the body.
 * 2. The route applies the form's terms, and the guard admits the attempt. All limits against card testing
 *    are listed in `guard/donation-guard.ts`, in their order.
 * 3. `sendDonation` calls the API with the form's session, and reports its decision to the guard. Meters of
 *    campaigns are refreshed more often for a minute.
 * 4. If the guard or the API wants a proof of work, `respondWithChallenge` responds with its challenge.
 */
export const paymentIntentRoutes = (deps: Deps) => {
  const { sessions, visitorTokens, guard, address } = deps;
  return new Hono<VisitorEnv>().post(
    '/',
    requireVisitor(visitorTokens),
    respondWithChallenge(deps),
    jsonBody(PageDonation),
    async (c) => {
      const { website, ...input } = c.req.valid('json');
      const visitor = c.get('visitor');
      const session = await sessions.getForVisitor(visitor);
      // Before the guard, so that an invalid donation does not count as an attempt.
      const donation = applyDonationTerms(session.form.terms, input, session.form.currency);
      const attempt = toAttempt(c, session.organization, address(c));
      const proof = c.req.header('proof');
      const admission = await guard.admit(attempt, { proof, honeypotFilled: Boolean(website) });
      const intent = await sendDonation(deps, { donation, visitor, session, attempt, admission });
      deps.campaigns.expectDonation();
      return c.json(intent, 201);
    },
  );
};

/** Responds with a challenge to a donation that needs a proof, if the page accepts one. */
const respondWithChallenge = ({ sessions, guard, address }: Deps) =>
  challengeInResponse<VisitorEnv>((c, honeypotFilled) => {
    const organization = sessions.organizationOf(c.get('visitor').form);
    return guard.challenge(toAttempt(c, organization, address(c)), honeypotFilled);
  });
