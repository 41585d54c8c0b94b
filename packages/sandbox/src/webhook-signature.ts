import { createHmac } from 'node:crypto';

/**
 * The `Stripe-Signature` header: HMAC-SHA256 over `timestamp.body`.
 *
 * @param at when it is sent, in seconds: receivers refuse what is five minutes old
 */
export function sign(body: string, secret: string, at = Math.floor(Date.now() / 1000)): string {
  const v1 = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  return `t=${at},v1=${v1}`;
}
