import type { ConnectError } from '@connect-embed/contract';
import {
  ATTACK_UNTIL_HEADER,
  DONOR_CONTEXT_HEADER,
  LIMITED_BY_HEADER,
  parseDonorContext,
  PROOF_UNTIL_HEADER,
} from '@connect-embed/contract';
import { networkPrefix } from '@connect-embed/contract/client-address';
import type { Context } from 'hono';
import { carry } from '../answer-headers.ts';
import type { Deps, Env } from '../env.ts';
import { attackUntil } from './alarm.ts';
import { reserveCards, type Refusal } from './card-budget.ts';
import { giveThere, tooMany, type SessionGift } from './session-guard.ts';
import { sessionGift } from './session-gift.ts';

/** Retry-After for direct requests: after this time an address or a form usually has budget again. */
const DIRECT_RETRY_SECONDS = 600;

interface Request {
  /** The processor's idempotency key. */
  id: string;
  /** The request comes from a hosted page. */
  onPage: boolean;
  /** The honeypot field of a hosted page. */
  website: string | undefined;
}

/**
 * Admits the donor of a new payment intent, and reserves the cards that the intent may try.
 *
 * The token of an embed session is public, so its donors are counted here. A server with an API key
 * identifies the donor in a header (`donor-context.ts`). Without the header, the server itself is
 * responsible for limiting its donors.
 *
 * @returns whether cards were reserved
 * @throws {ConnectError} `proof_required`, `rate_limited`, or `invalid_request`
 */
export async function admitDonor(deps: Deps, c: Context<Env>, request: Request): Promise<boolean> {
  const { kind, organization } = c.var.credential;
  if (kind === 'embed_session') {
    await admitSession(deps, c, request);
    return true;
  }
  const header = c.req.header(DONOR_CONTEXT_HEADER);
  if (header === undefined) return false;
  const { form, address, proof } = parseDonorContext(header);
  const until = await attackUntil(deps.db, organization.id);
  if (until) carry(c, { [ATTACK_UNTIL_HEADER]: until.toISOString() });
  const refusal = await reserveCards(deps.db, {
    ...{ id: request.id, organizationId: organization.id, form, address },
    proven: proof > 0,
    attacked: until !== undefined,
  });
  if (refusal) throw explain(c, refusal);
  return true;
}

async function admitSession(deps: Deps, c: Context<Env>, { id, onPage, website }: Request) {
  const gift = await sessionGift(deps, c);
  const hostedUrl = `${deps.baseUrl}/embed/${gift.session}`;
  let proven = false;
  if (onPage) {
    const proof = c.req.header('proof');
    proven = await deps.sessionGuard.admitFromPage(gift, proof, Boolean(website));
  } else await deps.sessionGuard.admitDirect(gift, hostedUrl);
  const refusal = await reserveCards(deps.db, {
    ...{ id, organizationId: gift.organization, form: gift.session, proven },
    address: await hashAddress(deps, gift),
    attacked: gift.attacked,
  });
  if (!refusal) return;
  if (onPage) throw explain(c, refusal);
  throw gift.attacked ? giveThere(hostedUrl) : tooMany(DIRECT_RETRY_SECONDS, hostedUrl);
}

async function hashAddress({ donorHash }: Deps, { address }: SessionGift) {
  return address === undefined ? undefined : await donorHash('address', networkPrefix(address));
}

/** Tells the calling server in headers how long further requests will be rejected. */
function explain(c: Context<Env>, { error, usedUpUntil }: Refusal): ConnectError {
  if (usedUpUntil) carry(c, { [PROOF_UNTIL_HEADER]: usedUpUntil.toISOString() });
  if (error.type === 'rate_limited') carry(c, { [LIMITED_BY_HEADER]: 'cards' });
  return error;
}
