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
import { hostedPageRequired, tooManyAttempts, type SessionRequest } from './session-guard.ts';

/**
 * Retry-After for requests that do not come from the hosted page. After this time, an earlier payment
 * intent from the address that nobody paid has usually been canceled.
 */
const DIRECT_RETRY_SECONDS = 4 * 60;

export interface AdmissionRequest {
  /** Idempotency key of the request at Stripe. */
  requestKey: string;
  /** Whether the request comes from our hosted donation page. */
  isHostedPage: boolean;
  /** Value of the honeypot field on the hosted page. */
  honeypotValue: string | undefined;
  /** End of the card-testing attack on the organization; undefined if there is none. */
  attackUntil: Date | undefined;
}

/**
 * Checks a donor before a payment intent is created, and reserves the cards that may be tried for it. Part
 * of the defense against card testing (trying stolen cards on donation forms).
 *
 * The token of an embed session is public, so its donors are counted here. A server with an API key
 * identifies the donor in a header (`donor-context.ts`). Without the header, the server itself is
 * responsible for limiting its donors, and no cards are reserved.
 *
 * @throws {ConnectError} `proof_required`, `rate_limited` or `invalid_request`
 */
export async function admitDonor(
  deps: RequestDeps,
  c: Context<Env>,
  request: AdmissionRequest,
): Promise<void> {
  const { kind, organization } = c.var.credential;
  if (kind === 'embed_session') return await admitSession(deps, c, request);
  const { requestKey, attackUntil } = request;
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

async function admitSession(
  deps: RequestDeps,
  c: Context<Env>,
  { requestKey, isHostedPage, honeypotValue, attackUntil }: AdmissionRequest,
): Promise<void> {
  const request = readSessionRequest(deps, c, attackUntil);
  const hostedUrl = `${deps.baseUrl}/embed/${request.session}`;
  let hasProof = false;
  if (isHostedPage) {
    const submission = { proof: c.req.header('proof'), honeypotFilled: Boolean(honeypotValue) };
    hasProof = await deps.sessionGuard.admitFromPage(request, submission);
  } else await deps.sessionGuard.admitDirect(request, hostedUrl);
  const rejection = await reserveCards(deps.db, {
    requestKey,
    organizationId: request.organization,
    form: request.session,
    address: hashAddress(deps, request),
    hasProof,
    isAttacked: request.isAttacked,
  });
  if (!rejection) return;
  if (isHostedPage) throw withLimitHeaders(c, rejection);
  throw request.isAttacked
    ? hostedPageRequired(hostedUrl)
    : tooManyAttempts(DIRECT_RETRY_SECONDS, hostedUrl);
}

/** Returns the data that the session guard counts for a request with an embed session's token. */
export function readSessionRequest(
  { getClientAddress }: RequestDeps,
  c: Context<Env>,
  attackUntil: Date | undefined,
): SessionRequest {
  const { id, organization } = c.var.credential;
  return {
    session: id,
    organization: organization.id,
    address: getClientAddress(c.req.raw, c.env),
    idempotencyKey: c.req.header('idempotency-key'),
    isAttacked: attackUntil !== undefined,
  };
}

function hashAddress({ hashDonorKey }: RequestDeps, { address }: SessionRequest) {
  return address === undefined ? undefined : hashDonorKey('address', networkPrefix(address));
}

/**
 * Sets response headers that inform the calling server how long further requests will be rejected.
 */
function withLimitHeaders(c: Context<Env>, { error, proofRequiredUntil }: Rejection): ConnectError {
  if (proofRequiredUntil) c.header(PROOF_REQUIRED_UNTIL_HEADER, proofRequiredUntil.toISOString());
  return error;
}
