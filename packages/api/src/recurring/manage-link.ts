import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveSecret } from '../derive-secret.ts';

/** A yearly gift's receipt must lead here until the next one comes. */
const LIFETIME_DAYS = 400;
const DAY_MS = 86_400_000;

/** `plan_7Hq….0.tvc0.<43 letters>`: the plan, its epoch, the last day, and the signature. */
const TOKEN = /^(plan_[\w-]{1,80})\.(\d{1,9})\.([0-9a-z]{1,8})\.([\w-]{43})$/;

/** What a link says once its signature has been checked. */
export interface ManageLink {
  planId: string;
  epoch: number;
  /** Its days are over; it opens nothing, but a new one may be sent for it. */
  expired: boolean;
}

export interface ManageLinks {
  /** Where a donor sees and changes a plan, without an account. */
  url(plan: { id: string; link_epoch: number }): string;
  /** Undefined for whatever was not signed here. */
  verify(token: string): ManageLink | undefined;
}

/**
 * Links that open one plan each. They are signed and not kept, in the path and never in a query:
 * docs/decisions/0037-plan-links.md
 */
export function createManageLinks(options: {
  secret: string;
  baseUrl: string;
  now?: () => number;
}): ManageLinks {
  const { baseUrl, now = Date.now } = options;
  const key = deriveSecret(options.secret, 'plan link');
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  const today = () => Math.floor(now() / DAY_MS);
  return {
    url({ id, link_epoch }) {
      const text = `${id}.${link_epoch}.${(today() + LIFETIME_DAYS).toString(36)}`;
      return `${baseUrl}/plans/${text}.${sign(text)}`;
    },
    verify(token) {
      const [, planId, epoch, lastDay, signature] = TOKEN.exec(token) ?? [];
      if (!planId || !epoch || !lastDay || !signature) return undefined;
      const expected = sign(`${planId}.${epoch}.${lastDay}`);
      if (!timingSafeEqual(Buffer.from(expected), Buffer.from(signature))) return undefined;
      return { planId, epoch: Number(epoch), expired: parseInt(lastDay, 36) < today() };
    },
  };
}
