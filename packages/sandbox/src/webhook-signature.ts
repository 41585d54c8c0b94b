import { createHmac } from 'node:crypto';

/**
 * Creates the `Stripe-Signature` header: HMAC-SHA256 over `timestamp.body`.
 *
 * @param at time of the signature in seconds since 1970: receivers reject a signature older than
 * five minutes
 */
export function sign(body: string, secret: string, at = Math.floor(Date.now() / 1000)): string {
  const v1 = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  return `t=${at},v1=${v1}`;
}
