import type { ConnectError } from '@connect-embed/contract';
import {
  ATTACK_UNTIL_HEADER,
  DONOR_CONTEXT_HEADER,
  parseDonorContext,
  PROOF_REQUIRED_UNTIL_HEADER,
} from '@connect-embed/contract';
import { networkPrefix } from '@connect-embed/contract/client-address';
import type { Context } from 'hono';
import type { Env } from '../../http/env.ts';
import type { RequestDeps } from '../deps.ts';
import { reserveCards, type Rejection } from './card-budget.ts';
import { hostedPageRequired, tooManyAttempts } from './session-guard.ts';

/**
 * Retry-After for calls with the token of an embed session. After this time, an earlier payment intent from the
 * address that nobody paid has usually been canceled.
 */
const DIRECT_RETRY_SECONDS = 4 * 60;

export interface AdmissionRequest {
  /** Idempotency key of the request at Stripe. */
  requestKey: string;
  /** Whether the server of a hosted form calls, which identifies the donor like any other server. */
  isFormServer: boolean;
  /** End of the card-testing attack on the organization; undefined if there is none. */
  attackUntil: Date | undefined;
}

/**
 * Checks a donor before a payment intent is created, and reserves the cards that may be tried for it. Part
 * of the defense against card testing (trying stolen cards on donation forms).
 *
 * The token of an embed session is public, so its donors are counted here. A server identifies the donor in a
 * header (`donor-context.ts`). Without the header, the server itself is responsible for limiting its donors,
 * and no cards are reserved.
 *
 * @throws {ConnectError} `proof_required` or `rate_limited`; `invalid_request` naming the header
 */
export async function admitDonor(
  deps: RequestDeps,
  c: Context<Env>,
  { requestKey, isFormServer, attackUntil }: AdmissionRequest,
): Promise<void> {
  const { kind, organization } = c.var.credential;
  if (kind === 'embed_session' && !isFormServer)
    return await admitDirectCall(deps, c, requestKey, attackUntil !== undefined);
  const header = c.req.header(DONOR_CONTEXT_HEADER);
  if (header === undefined) return;
  const { form, address, proof } = parseDonorContext(header);
  if (attackUntil) c.header(ATTACK_UNTIL_HEADER, attackUntil.toISOString());
  const rejection = await reserveCards(deps.db, {
    requestKey,
    organizationId: organization.id,
    form,
    address,
    hasProof: proof > 0,
    isAttacked: attackUntil !== undefined,
  });
  if (rejection) throw withLimitHeaders(c, rejection);
}

/** Admits a call with the token of an embed session, which no server has checked. */
async function admitDirectCall(
  { db, baseUrl, sessionGuard, hashDonorKey, getClientAddress }: RequestDeps,
  c: Context<Env>,
  requestKey: string,
  isAttacked: boolean,
): Promise<void> {
  const { id: session, organization } = c.var.credential;
  const address = getClientAddress(c.req.raw, c.env);
  const hostedUrl = `${baseUrl}/embed/${session}`;
  const request = { session, organization: organization.id, address, isAttacked };
  await sessionGuard.admit(request, hostedUrl);
  const rejection = await reserveCards(db, {
    requestKey,
    organizationId: organization.id,
    form: hashDonorKey('form', session),
    address: address && hashDonorKey('address', networkPrefix(address)),
    hasProof: false,
    isAttacked,
  });
  if (!rejection) return;
  throw isAttacked
    ? hostedPageRequired(hostedUrl)
    : tooManyAttempts(DIRECT_RETRY_SECONDS, hostedUrl);
}

/**
 * Sets response headers that inform the calling server how long further requests will be rejected.
 */
function withLimitHeaders(c: Context<Env>, { error, proofRequiredUntil }: Rejection): ConnectError {
  if (proofRequiredUntil) c.header(PROOF_REQUIRED_UNTIL_HEADER, proofRequiredUntil.toISOString());
  return error;
}
