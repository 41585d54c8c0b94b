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
 * Fund and allowed amounts come from the form's session, not from the page.
 */
export const paymentIntentRoutes = (deps: Deps) => {
  const { sessions, upstream, visitorTokens, guard, address } = deps;

  const createPaymentIntent = async (
    formSession: OpenFormSession,
    donation: PageDonation,
    request: ApiRequest,
  ) => {
    const resolved = ApiDonation.parse(
      applyDonationTerms(formSession.form.terms, donation, formSession.form.currency),
    );
    const body = { ...resolved, embed_session_id: formSession.session.id };
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
        guard.recordAttack(formSession.organization, responseHeaders.get(ATTACK_UNTIL_HEADER));
      }
    }, formSession.organization);
  };

  /**
   * Creates the intent with the form's session. If the API has revoked that session early, it
   * retries once with a new session.
   */
  const createWithSession = async (
    name: string,
    donation: PageDonation,
    request: ApiRequest,
  ): Promise<PaymentIntent> => {
    const formSession = await sessions.get(name);
    try {
      return await createPaymentIntent(formSession, donation, request);
    } catch (error) {
      if (!(error instanceof ConnectError) || error.code !== 'embed_session_expired') throw error;
      return await createPaymentIntent(
        await sessions.replace(name, formSession),
        donation,
        request,
      );
    }
  };

  /**
   * Creates the intent and reports the API's decision about an attempt without a proof to the
   * guard.
   */
  const createAdmitted = async (
    attempt: DonationAttempt,
    donation: PageDonation,
    { hasProof, reportOutcome }: Admission,
  ) => {
    const request: ApiRequest = {
      idempotencyKey: attempt.idempotencyKey,
      headers: await donorContextHeaders(deps, attempt, hasProof),
    };
    try {
      const intent = await createWithSession(attempt.form, donation, request);
      reportOutcome('accepted');
      return intent;
    } catch (error) {
      const isProofRequired = error instanceof ConnectError && error.type === 'proof_required';
      reportOutcome(
        isProofRequired ? { proofRequiredUntilMs: request.proofRequiredUntilMs } : 'failed',
      );
      throw error;
    }
  };

  const respondWithChallenge = challengeInResponse<VisitorEnv>(async (c, honeypotFilled) => {
    const { organization } = await sessions.get(c.var.visitor.form);
    return guard.challenge(toAttempt(c.var, organization, address(c)), honeypotFilled);
  });

  const middleware = [
    requireVisitor(visitorTokens),
    respondWithChallenge,
    jsonBody(PageDonation),
  ] as const;
  return new Hono<VisitorEnv>().post('/', ...middleware, async (c) => {
    const { form } = c.var.visitor;
    const { website, ...donation } = c.req.valid('json');
    const { form: formInfo, organization } = await sessions.get(form);
    applyDonationTerms(formInfo.terms, donation, formInfo.currency); // Validates before the guard, so that an invalid donation does not count as an attempt.
    const proof = c.req.header('proof');
    const attempt = toAttempt(c.var, organization, address(c));
    const admission = await guard.admit(attempt, {
      ...(proof !== undefined && { proof }),
      honeypotFilled: Boolean(website),
    });
    const intent = await createAdmitted(attempt, donation, admission);
    const lookup = { intent: intent.payment_intent_id, form, origin: c.var.origin };
    return c.json({ ...intent, status_token: await visitorTokens.signStatusToken(lookup) }, 201);
  });
};

/** One request to the API. */
interface ApiRequest {
  idempotencyKey: string;
  headers: Record<string, string>;
  /** Until when the API requires a proof on this form, in milliseconds. */
  proofRequiredUntilMs?: number | undefined;
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
