import { CreateCheckoutSession, notFound, type CheckoutSession } from '@connect-embed/contract';
import { jsonBody, NoQuery, queryParams } from '@connect-embed/contract/hono';
import { Hono, type Context } from 'hono';
import { requireScope } from '../auth/require-scope.ts';
import type { CredentialOrganization } from '../http/credential-organization.ts';
import type { Env } from '../http/env.ts';
import { isId } from '../lib/id.ts';
import { requireAccount } from '../payments/accounts.ts';
import type { RequestDeps } from '../payments/deps.ts';
import { createDonationContextLoader } from '../payments/donation-context.ts';
import {
  admitDonation,
  releaseIfRejected,
  shareDeadline,
  type DonationDeps,
} from './donation-request.ts';

/**
 * `POST /checkout-sessions` creates a payment page at Stripe for a one-time donation through a form. It
 * is for donors without JavaScript, who cannot confirm a payment intent: docs/decisions/0100-giving-pages.md
 *
 * Stripe creates the payment intent when the donor pays. The metadata of the payment intent and the
 * reserved reference attribute the donation, so nothing else is saved here.
 *
 * `GET /checkout-sessions/{id}` returns the session as it is at Stripe now.
 */
export const checkoutSessions = (deps: RequestDeps) => {
  const routeDeps = { ...deps, loadContext: createDonationContextLoader(deps) };
  return new Hono<Env>()
    .post(
      '/',
      requireScope('payments:write'),
      jsonBody(CreateCheckoutSession),
      shareDeadline,
      async (c) => c.json(await createCheckoutSession(routeDeps, c, c.req.valid('json')), 201),
    )
    .get('/:id', requireScope('payments:write'), queryParams(NoQuery), async (c) =>
      c.json(await loadCheckoutSession(deps, c.var.credential.organization, c.req.param('id'))),
    );
};

/** @throws {ConnectError} `not_found`, also for a session of another organization */
async function loadCheckoutSession(
  { processor }: RequestDeps,
  organization: CredentialOrganization,
  id: string,
): Promise<CheckoutSession> {
  const session = isId(id)
    ? await processor.retrieveCheckoutSession(requireAccount(organization), id)
    : undefined;
  if (!session) throw notFound('checkout_session', id);
  return session;
}

async function createCheckoutSession(
  deps: DonationDeps,
  c: Context<Env>,
  { success_url, cancel_url, ...input }: CreateCheckoutSession,
): Promise<CheckoutSession> {
  const { context, donation, idempotencyKey } = await admitDonation(deps, c, input, {
    isHostedPage: false,
    isCheckout: true,
    honeypotValue: undefined,
  });
  try {
    return await deps.processor.createCheckoutSession(context.organization, {
      ...donation,
      donor_email: input.donor_email,
      success_url,
      cancel_url,
      source: 'embed',
      source_id: input.embed_session_id,
    });
  } catch (error) {
    await releaseIfRejected(deps.db, idempotencyKey, error);
    throw error;
  }
}
