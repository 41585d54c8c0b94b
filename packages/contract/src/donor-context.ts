import { z } from 'zod';
import { invalidRequest } from './error.ts';

/**
 * On `POST /payment-intents`, additive: for whom a server that stands before the API asks. The API
 * counts the cards that may be tried by it. It is believed of an API key or a connected app, which
 * answer for their donors, and ignored of a session's token.
 *
 * In the form of a query: `address=…&form=…&proof=1`. docs/decisions/0082-card-budget.md
 */
export const DONOR_CONTEXT_HEADER = 'Connect-Donor-Context';

/**
 * On the response to `POST /payment-intents`, additive: until when attempts without a proof of work
 * are used up on this form. Whoever asks in the name of donors should want a proof from each of them
 * until then, and need not ask the API for it.
 */
export const PROOF_UNTIL_HEADER = 'Connect-Proof-Until';

/**
 * On a 429 to `POST /payment-intents`, additive: `cards` where it is about the cards of a form or an
 * address, and not about the credential's own rate.
 */
export const LIMITED_BY_HEADER = 'Connect-Limited-By';

/** A keyed hash: whoever reads the database or a log learns no address from it. */
const Hash = z.string().regex(/^[\w-]{16,64}$/);

export const DonorContext = z.strictObject({
  /** Hash of the donor's network address; left out where the server is not told addresses. */
  address: Hash.optional(),
  /** Hash of the form's name: the same in every process of the server, whatever its embed session. */
  form: Hash,
  /** 1 or more where the server has verified a proof of work or its human check; 0 for none. */
  proof: z.coerce.number().int().min(0).max(100),
});
export type DonorContext = z.infer<typeof DonorContext>;

export const formatDonorContext = ({ address, form, proof }: DonorContext): string =>
  new URLSearchParams({ ...(address && { address }), form, proof: String(proof) }).toString();

/** @throws {ConnectError} `invalid_request` naming the header */
export function parseDonorContext(text: string): DonorContext {
  const parsed = DonorContext.safeParse(Object.fromEntries(new URLSearchParams(text)));
  if (parsed.success) return parsed.data;
  throw invalidRequest(DONOR_CONTEXT_HEADER, 'must be address, form and proof, as a query.');
}

/**
 * Hashes what identifies a donor's network or a form, so that several processes with one secret get
 * the same text and nobody without it can guess it back.
 */
export function openDonorHash(secret: string) {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = crypto.subtle.importKey(
    'raw',
    encoder.encode(`connect-donor ${secret}`),
    algorithm,
    false,
    ['sign'],
  );
  return async (kind: 'address' | 'form', text: string): Promise<string> => {
    const data = encoder.encode(`${kind} ${text}`);
    const digest = new Uint8Array(await crypto.subtle.sign('HMAC', await key, data));
    const base64 = btoa(String.fromCharCode(...digest.subarray(0, 18)));
    return base64.replaceAll('+', '-').replaceAll('/', '_');
  };
}

export type DonorHash = ReturnType<typeof openDonorHash>;
