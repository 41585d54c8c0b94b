import {
  ATTACK_UNTIL_HEADER,
  ConnectError,
  CreatePaymentIntent,
  DONOR_CONTEXT_HEADER,
  serializeDonorContext,
  PROOF_REQUIRED_UNTIL_HEADER,
  applyDonationTerms,
  HoneypotField,
  type PaymentIntent,
} from '@connect-embed/contract';
import { networkPrefix } from '@connect-embed/contract/client-address';
import { challengeInResponse, jsonBody } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import type { z } from 'zod';
import type { Deps } from '../env.ts';
import type { OpenFormSession } from '../form-sessions.ts';
import type { Admission, DonationAttempt } from '../guard/donation-guard.ts';
import { toAttempt, requireVisitor, type VisitorEnv } from './require-visitor.ts';
import type { Visitor } from '../visitor-tokens.ts';

/**
 * Request body of the page. It has no embed session id: the session follows from the page's token,
 * so the page cannot choose it.
 */
const PageDonation = CreatePaymentIntent.omit({ embed_session_id: true }).extend(
  HoneypotField.shape,
);
/**
 * The part of the request that is sent to the API: without the honeypot field, and without the
 * `campaign_id` that `applyDonationTerms` adds, because the API takes it from the session.
 */
const ApiDonation = PageDonation.omit({ website: true }).strip();
type PageDonation = z.output<typeof PageDonation>;

/**
 * `POST /payment-intents` creates a payment intent at the API with the credential of this server.
 *
 * Fund and allowed amounts come from the form's session, not from the page. What happens when a
 * donor submits the form, in the order of the functions of this file:
 *
 * 1. The middleware verifies the visitor's token, then the body.
 * 2. The route applies the form's terms, and the guard admits the attempt.
 * 3. `createAdmitted` adds the donor context and reports the API's decision to the guard.
 * 4. `createWithSession` takes the form's session, and a new one if the API has revoked it.
 * 5. `createPaymentIntent` calls the API.
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
      const { form, organization } = await sessions.getForVisitor(c.var.visitor);
      // Validates before the guard, so that an invalid donation does not count as an attempt.
      applyDonationTerms(form.terms, donation, form.currency);
      const attempt = toAttempt(c.var, organization, address(c));
      const proof = c.req.header('proof');
      const admission = await guard.admit(attempt, { proof, honeypotFilled: Boolean(website) });
      const intent = await createAdmitted(deps, c.var.visitor, attempt, donation, admission);
      const status_token = await visitorTokens.signStatusToken({
        intent: intent.payment_intent_id,
        form: attempt.form,
        origin: c.var.origin,
      });
      return c.json({ ...intent, status_token }, 201);
    },
  );
};

/** Responds with a challenge to a donation that needs a proof, if the page accepts one. */
const respondWithChallenge = ({ sessions, guard, address }: Deps) =>
  challengeInResponse<VisitorEnv>((c, honeypotFilled) => {
    const organization = sessions.organizationOf(c.var.visitor.form);
    return guard.challenge(toAttempt(c.var, organization, address(c)), honeypotFilled);
  });

/** One request to the API. */
interface ApiRequest {
  donation: PageDonation;
  idempotencyKey: string;
  headers: Record<string, string>;
  /** Until when the API requires a proof on this form, in milliseconds. */
  proofRequiredUntilMs?: number | undefined;
}

/**
 * Creates the intent and reports the API's decision about an attempt without a proof to the guard.
 */
async function createAdmitted(
  deps: Deps,
  visitor: Visitor,
  attempt: DonationAttempt,
  donation: PageDonation,
  { hasProof, reportOutcome }: Admission,
): Promise<PaymentIntent> {
  const request: ApiRequest = {
    donation,
    idempotencyKey: attempt.idempotencyKey,
    headers: await donorContextHeaders(deps, attempt, hasProof),
  };
  try {
    const intent = await createWithSession(deps, visitor, request);
    reportOutcome('accepted');
    return intent;
  } catch (error) {
    const isProofRequired = error instanceof ConnectError && error.type === 'proof_required';
    reportOutcome(
      isProofRequired ? { proofRequiredUntilMs: request.proofRequiredUntilMs } : 'failed',
    );
    throw error;
  }
}

/**
 * The donor context header: hashes by which the API counts the cards of a form and of an address
 * across all processes.
 */
async function donorContextHeaders(
  { hashDonorKey }: Deps,
  { form, address }: DonationAttempt,
  hasProof: boolean,
) {
  const context = {
    form: await hashDonorKey('form', form),
    address: address && (await hashDonorKey('address', networkPrefix(address))),
    proof: Number(hasProof),
  };
  return { [DONOR_CONTEXT_HEADER]: serializeDonorContext(context) };
}

/**
 * Creates the intent with the form's session. If the API has revoked that session early, it retries
 * once with a new session.
 */
async function createWithSession(
  deps: Deps,
  visitor: Visitor,
  request: ApiRequest,
): Promise<PaymentIntent> {
  const formSession = await deps.sessions.getForVisitor(visitor);
  try {
    return await createPaymentIntent(deps, visitor, formSession, request);
  } catch (error) {
    if (!(error instanceof ConnectError) || error.code !== 'embed_session_expired') throw error;
    const newSession = await deps.sessions.replace(visitor, formSession);
    return await createPaymentIntent(deps, visitor, newSession, request);
  }
}

/**
 * Calls the API, and records what its response headers say about attacks and proofs.
 *
 * @throws {ConnectError} `not_found` with code `page_expired` if the organization has changed its Stripe
 *   keys, because the page could not confirm the intent with the key that it has
 */
async function createPaymentIntent(
  { upstream, guard }: Deps,
  visitor: Visitor,
  { form, session, organization }: OpenFormSession,
  request: ApiRequest,
): Promise<PaymentIntent> {
  if (form.publishable_key !== visitor.key) {
    const message = 'The donation page has expired. Reload it. You were not charged.';
    throw new ConnectError('not_found', message, { code: 'page_expired' });
  }
  const resolved = ApiDonation.parse(
    applyDonationTerms(form.terms, request.donation, form.currency),
  );
  const body = { ...resolved, embed_session_id: session.id };
  const { idempotencyKey, headers } = request;
  return await upstream.call(async (api) => {
    let responseHeaders = new Headers();
    const onHeaders = (all: Headers) => void (responseHeaders = all);
    try {
      return await api.createPaymentIntent(body, { idempotencyKey, onHeaders, headers });
    } catch (error) {
      request.proofRequiredUntilMs =
        Date.parse(responseHeaders.get(PROOF_REQUIRED_UNTIL_HEADER) ?? '') || undefined;
      throw error;
    } finally {
      guard.recordAttack(organization, responseHeaders.get(ATTACK_UNTIL_HEADER));
    }
  }, organization);
}
