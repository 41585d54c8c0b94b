import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveSecret } from '../secret.ts';

/** A yearly gift's receipt must lead here until the next one comes. */
const LIFETIME_DAYS = 400;
const DAY_MS = 86_400_000;

/** `plan_7Hq….0.tvc0.<43 letters>`: the plan, its epoch, the last day, and the signature. */
const TOKEN = /^(plan_[\w-]{1,80})\.(\d{1,9})\.([0-9a-z]{1,8})\.([\w-]{43})$/;

/** What a link says once its signature has been checked. */
export interface PlanLink {
  planId: string;
  epoch: number;
  /** Its days are over; it opens nothing, but a new one may be sent for it. */
  expired: boolean;
}

export interface PlanLinks {
  /** Where a donor sees and changes a plan, without an account. */
  url(plan: { id: string; link_epoch: number }): string;
  /** Undefined for whatever was not signed here. */
  read(token: string): PlanLink | undefined;
}

/**
 * Links that open one plan each. They are signed and not kept, in the path and never in a query:
 * docs/decisions/0037-plan-links.md
 */
export function openPlanLinks(options: {
  secret: string;
  baseUrl: string;
  now?: () => number;
}): PlanLinks {
  const { baseUrl, now = Date.now } = options;
  const key = deriveSecret(options.secret, 'plan link');
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  const today = () => Math.floor(now() / DAY_MS);
  return {
    url({ id, link_epoch }) {
      const text = `${id}.${link_epoch}.${(today() + LIFETIME_DAYS).toString(36)}`;
      return `${baseUrl}/plans/${text}.${sign(text)}`;
    },
    read(token) {
      const [, planId, epoch, lastDay, given] = TOKEN.exec(token) ?? [];
      if (!planId || !epoch || !lastDay || !given) return undefined;
      const right = sign(`${planId}.${epoch}.${lastDay}`);
      if (!timingSafeEqual(Buffer.from(right), Buffer.from(given))) return undefined;
      return { planId, epoch: Number(epoch), expired: parseInt(lastDay, 36) < today() };
    },
  };
}
