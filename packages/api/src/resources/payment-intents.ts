import { createHash, randomUUID } from 'node:crypto';
import {
  ATTACK_UNTIL_HEADER,
  ConnectError,
  CreatePaymentIntent,
  DonationTerms,
  invalidRequest,
  applyDonationTerms,
  statusOf,
  HoneypotField,
  type PaymentIntent,
  type ResolvedDonation,
} from '@connect-embed/contract';
import { jsonBody } from '@connect-embed/contract/hono';
import { Hono, type Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Env } from '../http/env.ts';
import type { RequestDeps } from '../payments/deps.ts';
import type { Credential } from '../http/credential.ts';
import { requireScope } from '../auth/require-scope.ts';
import { admitDonor } from '../payments/fraud/admit-donor.ts';
import { attackUntil } from '../payments/fraud/attack-mode.ts';
import { dropReservation, linkReservation } from '../payments/fraud/card-budget.ts';
import type { Db } from '../db/schema.ts';
import { findDonationTarget } from '../payments/donation-target.ts';
import { isId } from '../lib/id.ts';
import { requireChargesEnabled } from '../payments/accounts.ts';
import { reserveReference } from '../payments/reference.ts';
import { withDeadline } from '../payments/stripe/deadline.ts';
import type { IntentRequest } from '../payments/stripe/intents.ts';
import { createSubscription } from '../payments/subscriptions/create-subscription.ts';

/** Request body of hosted pages, which also send the honeypot field `website`. */
const HostedPageDonation = CreatePaymentIntent.extend(HoneypotField.shape);

/**
 * `POST /payment-intents` creates a payment intent for a donation (spec: Collect).
 *
 * The donation is paid to the organization's own account at Stripe. Card data goes from the browser to
 * Stripe and never reaches this server. Accepts an API key, an access token or the token of an embed
 * session. With a `frequency` it is the first payment of a recurring plan:
 * docs/decisions/0036-subscriptions.md
 */
export const paymentIntents = (deps: RequestDeps, { isHostedPage = false } = {}) => {
  const { db, processor } = deps;
  return new Hono<Env>().post(
    '/',
    requireScope('payments:write', { orEmbedSession: true }),
    jsonBody(
      isHostedPage
        ? HostedPageDonation
        : (CreatePaymentIntent as unknown as typeof HostedPageDonation),
    ),
    shareDeadline,
    async (c) => {
      const { credential } = c.var;
      const organization = await requireChargesEnabled({ db, processor }, credential.organization);
      const { embed_session_id, website, ...input } = c.req.valid('json');
      const session = await findSession(db, credential, embed_session_id);
      const terms = session && DonationTerms.parse(session.terms);
      const donation: ResolvedDonation = terms
        ? applyDonationTerms(terms, input, organization.currency)
        : input;
      await findDonationTarget(db, organization.id, donation);
      const idempotencyKey = deriveProcessorKey(credential, c.req.header('idempotency-key'));
      const hasReservedCards = await admitDonor(deps, c, {
        id: idempotencyKey,
        isHostedPage,
        honeypotValue: website,
      });

      const request = {
        ...donation,
        source: session ? ('embed' as const) : ('api' as const),
        // The source id depends on the same values as `idempotencyKey`, because a retry may come
        // with another embed session, and Stripe rejects a repeated key with other parameters.
        source_id: credential.id,
        idempotencyKey,
        reference: await reserveReference(db, organization.id, idempotencyKey),
      };
      const { frequency = 'one_time' } = donation;
      const createIntent = async () =>
        frequency === 'one_time'
          ? {
              intent: await processor.createPaymentIntent(organization, request),
              plan_id: undefined,
            }
          : await createSubscription(
              { db, processor },
              organization,
              { ...request, frequency },
              terms,
            );
      const { intent, plan_id } = await createIntent().catch(async (error: unknown) => {
        // After a 5xx error it is unknown what Stripe did: only a rejection frees the reserved cards.
        const isRejected = error instanceof ConnectError && statusOf(error) < 500;
        if (hasReservedCards && isRejected) await dropReservation(db, idempotencyKey);
        throw error;
      });
      const source_id = session?.id ?? credential.id;
      await saveIntent(db, credential, { ...request, source_id, plan_id }, intent);
      if (hasReservedCards) await linkReservation(db, idempotencyKey, intent.payment_intent_id);
      await setAttackHeader(c, db, organization.id);
      return c.json(intent, 201);
    },
  );
};

/**
 * Middleware that sets one deadline for all requests to Stripe. A recurring donation requires
 * several requests, and its donor must not wait longer than for one.
 */
const shareDeadline = createMiddleware((_, next) => withDeadline(next));

/** Announces a running card-testing attack in a header, so that the BFF requires a challenge from donors. */
async function setAttackHeader(c: Context<Env>, db: Db, organizationId: string): Promise<void> {
  const until = await attackUntil(db, organizationId);
  if (until) c.header(ATTACK_UNTIL_HEADER, until.toISOString());
}

/**
 * Loads the embed session of a donation; undefined if there is none.
 *
 * @throws {ConnectError} `invalid_request` with param `embed_session_id` if it has expired or is not
 * the caller's
 */
async function findSession(db: Db, credential: Credential, requestedId: string | undefined) {
  const ownSessionId = credential.kind === 'embed_session' ? credential.id : undefined;
  const id = requestedId ?? ownSessionId;
  if (id === undefined) return undefined;
  const session =
    isId(id) &&
    (ownSessionId === undefined || ownSessionId === id) &&
    (await db
      .selectFrom('embed_session')
      .select(['id', 'terms'])
      .where('organization_id', '=', credential.organization.id)
      .where('id', '=', id)
      .where('expires_at', '>', new Date())
      .executeTakeFirst());
  if (!session)
    throw invalidRequest(
      'embed_session_id',
      'has expired, or does not belong to this credential.',
      {
        code: 'embed_session_expired',
      },
    );
  return session;
}

/**
 * Derives the idempotency key for Stripe from the caller's key, so that a retry after a crash gets
 * the payment intent that was created before the crash: docs/decisions/0009-idempotency.md
 */
function deriveProcessorKey(credential: Credential, callerKey: string | undefined): string {
  if (callerKey === undefined) return randomUUID();
  const parts = JSON.stringify([credential.organization.id, credential.id, callerKey]);
  return createHash('sha256').update(parts).digest('hex');
}

/** Stores the payment intent. On a retry, its row exists already. */
async function saveIntent(
  db: Db,
  { organization }: Credential,
  request: IntentRequest & { plan_id?: string | undefined },
  intent: PaymentIntent,
): Promise<void> {
  try {
    await db
      .insertInto('payment_intent')
      .values({
        id: intent.payment_intent_id,
        organization_id: organization.id,
        amount_cents: request.amount_cents,
        currency: organization.currency,
        status: 'open',
        fund_id: request.fund_id ?? null,
        campaign_id: request.campaign_id ?? null,
        plan_id: request.plan_id ?? null,
        source: request.source,
        source_id: request.source_id,
        reference: request.reference,
      })
      .onConflict((conflict) =>
        // A processor event may have inserted the row first, without the reference.
        conflict
          .column('id')
          .doUpdateSet({ reference: request.reference })
          .where('payment_intent.organization_id', '=', organization.id)
          .where('payment_intent.reference', 'is', null),
      )
      .execute();
  } catch (cause) {
    throw new ConnectError(
      'unavailable',
      'We could not save this donation. You were not charged.',
      {
        cause,
      },
    );
  }
}
