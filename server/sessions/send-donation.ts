import {
  ATTACK_UNTIL_HEADER,
  ConnectError,
  DONOR_CONTEXT_HEADER,
  PROOF_REQUIRED_UNTIL_HEADER,
  serializeDonorContext,
  type PaymentIntent,
  type ResolvedDonation,
  type ResponseHeaders,
} from '@connect-embed/contract';
import { networkPrefix } from '@connect-embed/contract/client-address';
import type { Deps } from '../deps.ts';
import type { OpenEmbedSession } from './embed-sessions.ts';
import type { Admission, DonationAttempt } from '../guard/donation-guard.ts';
import { endOfKey, type Visitor } from './visitor-tokens.ts';

/** A donation that the guard has admitted. */
interface AdmittedDonation {
  /** With the terms of the form applied. */
  donation: ResolvedDonation;
  visitor: Visitor;
  session: OpenEmbedSession;
  attempt: DonationAttempt;
  admission: Admission;
}

/**
 * Creates the payment intent at the API with the credential of this server, and reports the API's
 * decision about an attempt without a proof to the guard.
 *
 * If the API has revoked the form's session early, it retries once with a new session. The terms are the
 * same, because a visitor keeps the version of the form.
 *
 * @throws {ConnectError} the errors of `upstream.call`; `not_found` with code `page_expired`
 */
export async function sendDonation(
  { upstream, guard, sessions, hashDonorKey }: Deps,
  { donation, visitor, session, attempt, admission }: AdmittedDonation,
): Promise<PaymentIntent> {
  const { idempotencyKey, organization } = attempt;
  // The API takes the campaign from the session.
  const { campaign_id: _, ...fields } = donation;
  let proofRequiredUntilMs: number | undefined;
  const onHeaders = (headers: ResponseHeaders) => {
    guard.recordAttack(organization, headers.get(ATTACK_UNTIL_HEADER));
    proofRequiredUntilMs = Date.parse(headers.get(PROOF_REQUIRED_UNTIL_HEADER) ?? '') || undefined;
  };
  const headers = donorContextHeaders(hashDonorKey, attempt, admission.hasProof);
  const send = async ({ form, session: { id } }: OpenEmbedSession) => {
    requireKeyOfPage(visitor, form.publishable_key);
    const body = { ...fields, embed_session_id: id, page_origin: visitor.origin };
    return await upstream.call(
      (api) => api.createPaymentIntent(body, { idempotencyKey, onHeaders, headers }),
      organization,
    );
  };
  try {
    const intent = await send(session).catch(async (error: Partial<ConnectError>) => {
      const isExpired = error.code === 'embed_session_expired';
      if (isExpired || error.code === 'campaign_ended') sessions.forget(session);
      if (!isExpired) throw error;
      return await send(await sessions.getForVisitor(visitor));
    });
    admission.reportOutcome('accepted');
    return intent;
  } catch (error) {
    const isProofRequired = error instanceof ConnectError && error.type === 'proof_required';
    admission.reportOutcome(isProofRequired ? { proofRequiredUntilMs } : 'failed');
    throw error;
  }
}

/** Hashes by which the API counts the cards of a form and of an address across all processes. */
function donorContextHeaders(
  hashDonorKey: Deps['hashDonorKey'],
  { form, address }: DonationAttempt,
  hasProof: boolean,
) {
  const context = {
    form: hashDonorKey('form', form),
    address: address && hashDonorKey('address', networkPrefix(address)),
    proof: Number(hasProof),
  };
  return { [DONOR_CONTEXT_HEADER]: serializeDonorContext(context) };
}

/**
 * @throws {ConnectError} `not_found` with code `page_expired` if the organization has changed its Stripe
 *   keys, because the page could not confirm the intent with the key that it has
 */
function requireKeyOfPage({ key }: Visitor, publishableKey: string): void {
  if (endOfKey(publishableKey) === key) return;
  const message = 'The donation page has expired. Reload it. You were not charged.';
  throw new ConnectError('not_found', message, { code: 'page_expired' });
}
