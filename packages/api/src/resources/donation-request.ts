import { createHash, randomUUID } from 'node:crypto';
import {
  ConnectError,
  applyDonationTerms,
  statusOf,
  type CreatePaymentIntent,
  type ResolvedDonation,
} from '@connect-embed/contract';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Db } from '../db/schema.ts';
import type { Credential } from '../http/credential.ts';
import type { Env } from '../http/env.ts';
import type { RequestDeps } from '../payments/deps.ts';
import { requireChargesEnabled } from '../payments/accounts.ts';
import type { createDonationContextLoader, DonationContext } from '../payments/donation-context.ts';
import { requireActive, requireOpenCampaign } from '../payments/donation-target.ts';
import { dropReservation } from '../payments/fraud/card-budget.ts';
import { loadOfferedMethodTypes } from '../payments/payment-method-types.ts';
import { withDeadline } from '../payments/stripe/deadline.ts';

/**
 * Middleware that sets one deadline for all requests to Stripe. A recurring donation requires
 * several requests, and its donor must not wait longer than for one.
 */
export const shareDeadline = createMiddleware((_, next) => withDeadline(next));

export type DonationDeps = RequestDeps & {
  loadContext: ReturnType<typeof createDonationContextLoader>;
};

/**
 * Checks a requested donation. Nothing is saved but the state of the Stripe account, where it had to be fetched.
 *
 * @returns `donation` for Stripe, with the terms of the form applied, and its key for repeated requests
 * @throws {ConnectError} `conflict`, `not_found` or `invalid_request`
 */
export async function checkDonation(
  deps: DonationDeps,
  c: Context<Env>,
  { embed_session_id, ...input }: CreatePaymentIntent,
) {
  const { credential } = c.var;
  const context = await deps.loadContext(credential, { embed_session_id, fund_id: input.fund_id });
  const { session, attackUntil } = context;
  const organization = await requireChargesEnabled(deps, credential.organization, context.account);
  const offeredMethodTypes =
    context.offeredMethodTypes ?? (await loadOfferedMethodTypes(deps, organization));
  const terms = applyTerms(context, organization.currency, input);
  const callerKey = c.req.header('idempotency-key');
  const requestKey = deriveRequestKey(credential, callerKey);
  const form = { form_id: session?.formId, form_name: session?.formName };
  const donation = { ...terms, ...form, offeredMethodTypes };
  const canWait = callerKey !== undefined;
  return { organization, session, attackUntil, donation, requestKey, canWait };
}

/**
 * Applies the terms of the embed session, if the donation comes from one. The server has applied them as well, for
 * early errors, but anyone can send the token of a session to the API.
 *
 * @throws {ConnectError} `invalid_request` if the donation violates the terms, or its fund or
 *   campaign does not exist or is archived; `not_found` if the campaign has ended
 */
function applyTerms(
  { session, fund, campaign }: DonationContext,
  currency: string,
  input: CreatePaymentIntent,
): ResolvedDonation {
  const donation: ResolvedDonation = session
    ? applyDonationTerms(session.terms, input, currency)
    : input;
  const { fund_id, campaign_id } = donation;
  if (fund_id) requireActive('fund', fund_id, fund);
  if (campaign_id) requireOpenCampaign(requireActive('campaign', campaign_id, campaign));
  return donation;
}

/**
 * Derives the idempotency key for Stripe from the caller's key, so that a retry after a crash gets
 * the payment intent that was created before the crash: docs/decisions/0009-idempotency.md
 */
function deriveRequestKey(credential: Credential, callerKey: string | undefined): string {
  if (callerKey === undefined) return randomUUID();
  const parts = JSON.stringify([credential.organization.id, credential.id, callerKey]);
  return createHash('sha256').update(parts).digest('hex');
}

/** Frees the reserved cards of a request if Stripe rejected it. After a 5xx error it is unknown what Stripe did. */
export async function releaseIfRejected(db: Db, requestKey: string, error: unknown): Promise<void> {
  const isRejected = error instanceof ConnectError && statusOf(error) < 500;
  if (isRejected) await dropReservation(db, requestKey);
}
