import type { ConnectError } from '@connect-embed/contract';
import {
  ATTACK_UNTIL_HEADER,
  DONOR_CONTEXT_HEADER,
  parseDonorContext,
  PROOF_REQUIRED_UNTIL_HEADER,
} from '@connect-embed/contract';
import { networkPrefix } from '@connect-embed/contract/client-address';
import type { Context } from 'hono';
import { setResponseHeaders } from '../../http/response-headers.ts';
import type { Env } from '../../http/env.ts';
import type { RequestDeps } from '../deps.ts';
import { attackUntil } from './attack-mode.ts';
import { reserveCardAttempts, type Rejection } from './card-budget.ts';
import { hostedPageRequired, tooManyAttempts, type SessionRequest } from './session-guard.ts';
import { readSessionRequest } from './session-request.ts';

/**
 * Retry-After for requests that do not come from the hosted page. After this time, cards from the
 * address or on the form can usually be tried again.
 */
const DIRECT_RETRY_SECONDS = 600;

interface AdmissionRequest {
  /** Idempotency key of the request at Stripe. */
  id: string;
  /** Whether the request comes from our hosted donation page. */
  isHostedPage: boolean;
  /** Value of the honeypot field on the hosted page. */
  honeypotValue: string | undefined;
}

/**
 * Checks a donor before a payment intent is created, and reserves the number of cards that may be
 * tried for it. Part of the defense against card testing (trying stolen cards on donation forms).
 *
 * The token of an embed session is public, so its donors are counted here. A server with an API key
 * identifies the donor in a header (`donor-context.ts`). Without the header, the server itself is
 * responsible for limiting its donors.
 *
 * @returns whether a number of cards was reserved
 * @throws {ConnectError} `proof_required`, `rate_limited`, or `invalid_request`
 */
export async function admitDonor(
  deps: RequestDeps,
  c: Context<Env>,
  request: AdmissionRequest,
): Promise<boolean> {
  const { kind, organization } = c.var.credential;
  if (kind === 'embed_session') {
    await admitSession(deps, c, request);
    return true;
  }
  const header = c.req.header(DONOR_CONTEXT_HEADER);
  if (header === undefined) return false;
  const { form, address, proof: proofLevel } = parseDonorContext(header);
  const until = await attackUntil(deps.db, organization.id);
  if (until) setResponseHeaders(c, { [ATTACK_UNTIL_HEADER]: until.toISOString() });
  const rejection = await reserveCardAttempts(deps.db, {
    ...{ id: request.id, organizationId: organization.id, form, address },
    hasProof: proofLevel > 0,
    isAttacked: until !== undefined,
  });
  if (rejection) throw withLimitHeaders(c, rejection);
  return true;
}

async function admitSession(
  deps: RequestDeps,
  c: Context<Env>,
  { id, isHostedPage, honeypotValue }: AdmissionRequest,
) {
  const request = await readSessionRequest(deps, c);
  const hostedUrl = `${deps.baseUrl}/embed/${request.session}`;
  let hasProof = false;
  if (isHostedPage) {
    const proof = c.req.header('proof');
    hasProof = await deps.sessionGuard.admitFromPage(request, proof, Boolean(honeypotValue));
  } else await deps.sessionGuard.admitDirect(request, hostedUrl);
  const rejection = await reserveCardAttempts(deps.db, {
    ...{ id, organizationId: request.organization, form: request.session, hasProof },
    address: await hashAddress(deps, request),
    isAttacked: request.isAttacked,
  });
  if (!rejection) return;
  if (isHostedPage) throw withLimitHeaders(c, rejection);
  throw request.isAttacked
    ? hostedPageRequired(hostedUrl)
    : tooManyAttempts(DIRECT_RETRY_SECONDS, hostedUrl);
}

async function hashAddress({ hashDonorKey }: RequestDeps, { address }: SessionRequest) {
  return address === undefined ? undefined : await hashDonorKey('address', networkPrefix(address));
}

/**
 * Sets response headers that inform the calling server how long further requests will be rejected.
 */
function withLimitHeaders(c: Context<Env>, { error, proofRequiredUntil }: Rejection): ConnectError {
  if (proofRequiredUntil)
    setResponseHeaders(c, { [PROOF_REQUIRED_UNTIL_HEADER]: proofRequiredUntil.toISOString() });
  return error;
}
