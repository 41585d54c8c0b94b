import { createHmac, timingSafeEqual } from 'node:crypto';
import { listSecrets, type Secrets } from '@connect-embed/contract/secrets';
import { deriveSecret } from '../lib/encrypter.ts';

/**
 * Lifetime of a link. The link in the receipt of a yearly donation must be valid until the next
 * receipt.
 */
const LIFETIME_DAYS = 400;
const DAY_MS = 86_400_000;

/** Format `plan_7Hq….0.tvc0.<43 characters>`: plan id, epoch, last valid day and signature. */
const TOKEN = /^(plan_[\w-]{1,80})\.(\d{1,9})\.([0-9a-z]{1,8})\.([\w-]{43})$/;

/** The content of a link with a valid signature. */
interface ManageLink {
  planId: string;
  epoch: number;
  /** An expired link gives no access, but the donor can have a new one sent by email. */
  expired: boolean;
}

export interface ManageLinks {
  /** Returns the URL where a donor manages a subscription without an account. */
  url(subscription: { id: string; link_epoch: number }): string;
  /** Returns undefined if the signature is not valid. */
  verify(token: string): ManageLink | undefined;
}

/**
 * Creates and verifies manage links. Each gives access to one subscription. They are signed and not
 * stored. The token is part of the path, never of the query: docs/decisions/0036-subscriptions.md
 */
export function createManageLinks(options: {
  secret: Secrets;
  baseUrl: string;
  now?: () => number;
}): ManageLinks {
  const { baseUrl, now = Date.now } = options;
  const keys = listSecrets(options.secret).map((secret) => deriveSecret(secret, 'plan link'));
  const sign = (text: string, key = keys[0]!) =>
    createHmac('sha256', key).update(text).digest('base64url');
  const isSigned = (text: string, signature: string) =>
    keys.some((key) => timingSafeEqual(Buffer.from(sign(text, key)), Buffer.from(signature)));
  const today = () => Math.floor(now() / DAY_MS);
  return {
    url({ id, link_epoch }) {
      const text = `${id}.${link_epoch}.${(today() + LIFETIME_DAYS).toString(36)}`;
      return `${baseUrl}/plans/${text}.${sign(text)}`;
    },
    verify(token) {
      const [, planId, epoch, lastDay, signature] = TOKEN.exec(token) ?? [];
      if (!planId || !epoch || !lastDay || !signature) return undefined;
      if (!isSigned(`${planId}.${epoch}.${lastDay}`, signature)) return undefined;
      return { planId, epoch: Number(epoch), expired: parseInt(lastDay, 36) < today() };
    },
  };
}
