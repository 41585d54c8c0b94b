import { createHmac, type Hmac } from '@connect-embed/contract/hmac';
import { listSecrets, type Secrets } from '@connect-embed/contract/secrets';
import { base64url } from 'jose';
import type { z } from 'zod';

const decoder = new TextDecoder();

/**
 * Signs and verifies the JWTs of one type that this server issues to itself, with `HS256`.
 *
 * `jose` does the same with Web Crypto, which took a quarter of the time of a donation
 * (docs/dependencies.md). All tokens of a type have one header, so another algorithm or type is never
 * accepted: the header is compared as text, and not parsed.
 */
export class SignedTokens<Claims extends z.ZodType> {
  readonly #header: string;
  readonly #claims: Claims;
  /** With the newest secret first. */
  readonly #hmacs: readonly [Hmac, ...Hmac[]];

  /**
   * @param type the JWT type, so that no other token signed with the same secret is accepted as one
   * @param claims the claims that a token must have
   */
  constructor(secrets: Secrets, type: string, claims: Claims) {
    const [newest, ...older] = listSecrets(secrets);
    this.#header = `${base64url.encode(JSON.stringify({ alg: 'HS256', typ: type }))}.`;
    this.#claims = claims;
    this.#hmacs = [createHmac(newest), ...older.map(createHmac)];
  }

  sign(claims: z.input<Claims>): string {
    const content = this.#header + base64url.encode(JSON.stringify(claims));
    return `${content}.${base64url.encode(this.#hmacs[0](content))}`;
  }

  /**
   * Returns the claims of a token, whose expiry the caller checks; undefined unless the token was signed
   * with one of the secrets.
   */
  verify(token: string): z.output<Claims> | undefined {
    const end = token.lastIndexOf('.');
    const [content, signature] = [token.slice(0, end), token.slice(end + 1)];
    if (!content.startsWith(this.#header)) return undefined;
    const isSigned = (hmac: Hmac) => isEqual(signature, base64url.encode(hmac(content)));
    if (!this.#hmacs.some(isSigned)) return undefined;
    const payload = decoder.decode(base64url.decode(content.slice(this.#header.length)));
    return this.#claims.safeParse(JSON.parse(payload)).data;
  }
}

/** Compares in a time that does not depend on the first character that differs. Hono's function needs Web Crypto. */
function isEqual(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length;
  for (let index = 0; index < expected.length; index += 1)
    difference |= given.charCodeAt(index) ^ expected.charCodeAt(index);
  return difference === 0;
}
