import { newestSecret, type Secrets } from './secrets.ts';
import { z } from 'zod';
import { invalidRequest } from './error.ts';
import { createHmac } from './hmac.ts';

/**
 * Request header of `POST /payment-intents`: identifies the donor for whom a server sends the
 * request. The API limits the number of cards of each donor. The header is accepted from API keys,
 * connected apps and the servers of hosted forms, which are responsible for their donors, and ignored for
 * session tokens.
 *
 * Its value has the format of a query string: `address=…&form=…&proof=1`.
 * docs/decisions/0047-card-testing.md
 */
export const DONOR_CONTEXT_HEADER = 'Connect-Donor-Context';

/**
 * Response header of `POST /payment-intents`: until this time the form takes no more attempts
 * without a proof of work. A server should require a proof from its donors until then, without
 * calling the API.
 */
export const PROOF_REQUIRED_UNTIL_HEADER = 'Connect-Proof-Until';

/**
 * Response header of `POST /payment-intents`: the ISO-8601 time until which the organization is in
 * attack mode, because attackers test stolen cards on its forms. Until then, a server should
 * require a proof of work from every donor: docs/decisions/0047-card-testing.md
 */
export const ATTACK_UNTIL_HEADER = 'Connect-Attack-Until';

/**
 * Format of a keyed hash. The hash is sent so that neither the database nor a log reveals the
 * donor's address.
 */
const Hash = z.string().regex(/^[\w-]{16,64}$/);

export const DonorContext = z.strictObject({
  /** Hash of the donor's network address; absent if the server does not know addresses. */
  address: Hash.optional(),
  /**
   * Hash of the form's name: the same in every process of the server and in every embed session.
   */
  form: Hash,
  /** 1 if the server has verified a proof of work or a CAPTCHA of this donor, else 0. Higher numbers count as 1. */
  proof: z.coerce.number().int().min(0).max(100),
});
export type DonorContext = z.infer<typeof DonorContext>;

/** Hashes have no character that a query string encodes. */
export const serializeDonorContext = ({ address, form, proof }: DonorContext): string =>
  `${address ? `address=${address}&` : ''}form=${form}&proof=${proof}`;

/** @throws {ConnectError} `invalid_request` naming the header */
export function parseDonorContext(text: string): DonorContext {
  const parsed = DonorContext.safeParse(Object.fromEntries(new URLSearchParams(text)));
  if (parsed.success) return parsed.data;
  throw invalidRequest(
    DONOR_CONTEXT_HEADER,
    'must contain address, form and proof as a query string.',
  );
}

/**
 * Returns a function that hashes a network address or the name of a form with a secret
 * (HMAC-SHA-256).
 *
 * Processes with the same secret compute the same hash; without the secret nobody can find the
 * input by trial. After a rotation of the secret all hashes are new, so counts start again.
 */
export function createDonorHasher(secrets: Secrets) {
  const hmac = createHmac(`connect-donor ${newestSecret(secrets)}`);
  return (kind: 'address' | 'form', text: string): string => {
    const base64 = btoa(String.fromCharCode(...hmac(`${kind} ${text}`).subarray(0, 18)));
    return base64.replaceAll('+', '-').replaceAll('/', '_');
  };
}

export type DonorHasher = ReturnType<typeof createDonorHasher>;
