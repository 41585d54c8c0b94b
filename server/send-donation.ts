import {
  ATTACK_UNTIL_HEADER,
  ConnectError,
  DONOR_CONTEXT_HEADER,
  PROOF_REQUIRED_UNTIL_HEADER,
  serializeDonorContext,
  type CallOptions,
  type ConnectClient,
  type ResponseHeaders,
} from '@connect-embed/contract';
import { networkPrefix } from '@connect-embed/contract/client-address';
import type { Deps } from './env.ts';
import type { FormOfVisitor, OpenFormSession } from './form-sessions.ts';
import type { Admission, DonationAttempt } from './guard/donation-guard.ts';

/** A donation that the guard has admitted. */
export interface AdmittedDonation<Result> {
  form: FormOfVisitor;
  attempt: DonationAttempt;
  admission: Admission;
  /** Prepares the request for a session of the form. It is called again if the session was revoked. */
  prepare(session: OpenFormSession): DonationRequest<Result>;
}

/** Sends a donation to the API. */
type DonationRequest<Result> = (api: ConnectClient, options: CallOptions) => Promise<Result>;

/** An admitted donation, and the state of its request to the API. */
interface Sending<Result> extends AdmittedDonation<Result> {
  headers: Record<string, string>;
  /** Until when the API requires a proof on this form, in milliseconds. */
  proofRequiredUntilMs?: number | undefined;
}

/**
 * Sends a donation to the API with the credential of this server, and reports the API's decision about
 * an attempt without a proof to the guard.
 *
 * 1. `sendDonation` adds the donor context.
 * 2. `sendWithSession` takes the form's session, and a new one if the API has revoked it.
 * 3. `callApi` calls the API, and records what its response headers say about attacks and proofs.
 */
export async function sendDonation<Result>(
  deps: Deps,
  donation: AdmittedDonation<Result>,
): Promise<Result> {
  const { attempt, admission } = donation;
  const headers = donorContextHeaders(deps, attempt, admission.hasProof);
  const sending: Sending<Result> = { ...donation, headers };
  try {
    const result = await sendWithSession(deps, sending);
    admission.reportOutcome('accepted');
    return result;
  } catch (error) {
    const isProofRequired = error instanceof ConnectError && error.type === 'proof_required';
    const { proofRequiredUntilMs } = sending;
    admission.reportOutcome(isProofRequired ? { proofRequiredUntilMs } : 'failed');
    throw error;
  }
}

/**
 * The donor context header: hashes by which the API counts the cards of a form and of an address
 * across all processes.
 */
function donorContextHeaders(
  { hashDonorKey }: Deps,
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
 * Sends the donation with the form's session. If the API has revoked that session early, it retries
 * once with a new session.
 */
async function sendWithSession<Result>(deps: Deps, sending: Sending<Result>): Promise<Result> {
  const session = await deps.sessions.getForVisitor(sending.form);
  try {
    return await callApi(deps, sending, session);
  } catch (error) {
    const { code } = error as Partial<ConnectError>;
    if (code === 'campaign_ended') deps.sessions.forget(sending.form.form, session);
    if (code !== 'embed_session_expired') throw error;
    return await callApi(deps, sending, await deps.sessions.replace(sending.form, session));
  }
}

async function callApi<Result>(
  { upstream, guard }: Deps,
  sending: Sending<Result>,
  session: OpenFormSession,
): Promise<Result> {
  const { headers, attempt } = sending;
  const { idempotencyKey, organization } = attempt;
  const send = sending.prepare(session);
  return await upstream.call(async (api) => {
    let responseHeaders: ResponseHeaders | undefined;
    const onHeaders = (all: ResponseHeaders) => void (responseHeaders = all);
    try {
      return await send(api, { idempotencyKey, onHeaders, headers });
    } catch (error) {
      sending.proofRequiredUntilMs =
        Date.parse(responseHeaders?.get(PROOF_REQUIRED_UNTIL_HEADER) ?? '') || undefined;
      throw error;
    } finally {
      guard.recordAttack(organization, responseHeaders?.get(ATTACK_UNTIL_HEADER) ?? null);
    }
  }, organization);
}
