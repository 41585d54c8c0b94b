import {
  ConnectError,
  CreatePaymentIntent,
  applyDonationTerms,
  HoneypotField,
  type CallOptions,
  type ConnectClient,
} from '@connect-embed/contract';
import { challengeInResponse, jsonBody } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import type { z } from 'zod';
import type { Deps } from '../env.ts';
import type { OpenFormSession } from '../form-sessions.ts';
import { sendDonation } from '../send-donation.ts';
import { toAttempt, requireVisitor, type VisitorEnv } from './require-visitor.ts';
import { endOfKey, type Visitor } from '../visitor-tokens.ts';

/**
 * Request body of the page. It has no embed session id: the session follows from the page's token,
 * so the page cannot choose it.
 */
const PageDonation = CreatePaymentIntent.omit({ embed_session_id: true }).extend(
  HoneypotField.shape,
);
type PageDonation = z.output<typeof PageDonation>;

/**
 * `POST /payment-intents` creates a payment intent at the API with the credential of this server.
 *
 * Fund and allowed amounts come from the form's session, not from the page. What happens when a
 * donor submits the form, in this order:
 *
 * 1. The middleware verifies the visitor's token, then the body.
 * 2. The route applies the form's terms, and the guard admits the attempt.
 * 3. `sendDonation` calls the API with the form's session, and reports its decision to the guard.
 */
export const paymentIntentRoutes = (deps: Deps) => {
  const { sessions, visitorTokens, guard, address } = deps;
  return new Hono<VisitorEnv>().post(
    '/',
    requireVisitor(visitorTokens),
    respondWithChallenge(deps),
    jsonBody(PageDonation),
    async (c) => {
      const { website, ...donation } = c.req.valid('json');
      const visitor = c.get('visitor');
      const { form, organization } = await sessions.getForVisitor(visitor);
      // Validates before the guard, so that an invalid donation does not count as an attempt.
      applyDonationTerms(form.terms, donation, form.currency);
      const attempt = toAttempt(c, organization, address(c));
      const proof = c.req.header('proof');
      const admission = await guard.admit(attempt, { proof, honeypotFilled: Boolean(website) });
      const prepare = createPaymentIntent(visitor, donation);
      const intent = await sendDonation(deps, { form: visitor, attempt, admission, prepare });
      const status_token = visitorTokens.signStatusToken({
        intent: intent.payment_intent_id,
        form: visitor.form,
        origin: visitor.origin,
      });
      return c.json({ ...intent, status_token }, 201);
    },
  );
};

/** Responds with a challenge to a donation that needs a proof, if the page accepts one. */
const respondWithChallenge = ({ sessions, guard, address }: Deps) =>
  challengeInResponse<VisitorEnv>((c, honeypotFilled) => {
    const organization = sessions.organizationOf(c.get('visitor').form);
    return guard.challenge(toAttempt(c, organization, address(c)), honeypotFilled);
  });

/**
 * Prepares the request to the API.
 *
 * @throws {ConnectError} `not_found` with code `page_expired` if the organization has changed its Stripe
 *   keys, because the page could not confirm the intent with the key that it has
 */
const createPaymentIntent =
  (visitor: Visitor, donation: Omit<PageDonation, 'website'>) =>
  ({ form, session }: OpenFormSession) => {
    if (endOfKey(form.publishable_key) !== visitor.key) {
      const message = 'The donation page has expired. Reload it. You were not charged.';
      throw new ConnectError('not_found', message, { code: 'page_expired' });
    }
    // The API takes the campaign from the session.
    const { campaign_id: _, ...resolved } = applyDonationTerms(form.terms, donation, form.currency);
    const body = { ...resolved, embed_session_id: session.id };
    return (api: ConnectClient, options: CallOptions) => api.createPaymentIntent(body, options);
  };
