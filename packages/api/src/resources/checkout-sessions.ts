import {
  CreateCheckoutSession,
  notFound,
  type CheckoutSession,
  type ResolvedDonation,
} from '@connect-embed/contract';
import { jsonBody, NoQuery, queryParams } from '@connect-embed/contract/hono';
import { Hono, type Context } from 'hono';
import { requireScope } from '../auth/require-scope.ts';
import type { CredentialOrganization } from '../http/credential-organization.ts';
import type { Env } from '../http/env.ts';
import { isId } from '../lib/id.ts';
import { requireAccount } from '../payments/accounts.ts';
import type { RequestDeps } from '../payments/deps.ts';
import { createDonationContextLoader } from '../payments/donation-context.ts';
import { admitDonor } from '../payments/fraud/admit-donor.ts';
import type { CheckoutRequest } from '../payments/stripe/checkout.ts';
import {
  applyTerms,
  deriveProcessorKey,
  releaseIfRejected,
  shareDeadline,
} from './donation-request.ts';

type RouteDeps = RequestDeps & { loadContext: ReturnType<typeof createDonationContextLoader> };

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
  deps: RouteDeps,
  c: Context<Env>,
  { embed_session_id, success_url, cancel_url, ...input }: CreateCheckoutSession,
): Promise<CheckoutSession> {
  const { db, processor } = deps;
  const { credential } = c.var;
  const context = await deps.loadContext(credential, { embed_session_id, fund_id: input.fund_id });
  const { organization, session, attackUntil } = context;
  const donation: ResolvedDonation = applyTerms(context, input);
  const idempotencyKey = deriveProcessorKey(credential, c.req.header('idempotency-key'));
  const reference = await admitDonor(deps, c, {
    id: idempotencyKey,
    isHostedPage: false,
    isCheckout: true,
    attackUntil,
    honeypotValue: undefined,
  });
  const request: CheckoutRequest = {
    ...donation,
    donor_email: input.donor_email,
    success_url,
    cancel_url,
    form_id: session?.formId,
    source: 'embed',
    source_id: embed_session_id,
    reference,
  };
  try {
    return await processor.createCheckoutSession(organization, request);
  } catch (error) {
    await releaseIfRejected(db, idempotencyKey, error);
    throw error;
  }
}
