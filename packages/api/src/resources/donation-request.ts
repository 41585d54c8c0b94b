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
import { admitDonor, type AdmissionRequest } from '../payments/fraud/admit-donor.ts';
import { dropReservation } from '../payments/fraud/card-budget.ts';
import { loadOfferedMethodTypes } from '../payments/payment-method-types.ts';
import { reserveReference } from '../payments/reference.ts';
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
 * Checks a requested donation and its donor, takes its turn at Stripe, and reserves a reference.
 *
 * @returns `donation` for Stripe, with the terms of the form applied, and its `place` in the queue
 * @throws {ConnectError} `conflict`, `not_found`, `invalid_request`, `proof_required` or `rate_limited`
 */
export async function prepareDonation(
  deps: DonationDeps,
  c: Context<Env>,
  { embed_session_id, ...input }: CreatePaymentIntent,
  page: Omit<AdmissionRequest, 'requestKey' | 'attackUntil'>,
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
  const place = { organization, requestKey, canWait: callerKey !== undefined };
  await admitDonor(deps, c, { ...page, requestKey, attackUntil });
  // The cards of a donor who waits stay reserved for the repeated request.
  await deps.processorQueue.reserveTurn(place);
  const reference = await reserveReference(deps.db, organization.id, requestKey);
  const form = { form_id: session?.formId, form_name: session?.formName };
  const donation = { ...terms, ...form, offeredMethodTypes, reference };
  return { organization, session, donation, requestKey, place };
}

/**
 * Applies the terms of the embed session, if the donation comes from one.
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
