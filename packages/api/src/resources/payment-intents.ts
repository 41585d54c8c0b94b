import {
  ATTACK_UNTIL_HEADER,
  ConnectError,
  CreatePaymentIntent,
  type DonationTerms,
  type PaymentIntent,
  type ResolvedDonation,
} from '@connect-embed/contract';
import { jsonBody } from '@connect-embed/contract/hono';
import { Hono, type Context } from 'hono';
import type { QueryCreator } from 'kysely';
import type { Env } from '../http/env.ts';
import type { RequestDeps } from '../payments/deps.ts';
import type {
  CredentialOrganization,
  PayableOrganization,
} from '../http/credential-organization.ts';
import { requireScope } from '../auth/require-scope.ts';
import { forOrganization } from '../db/organization-scope.ts';
import { selectAttackUntil } from '../payments/fraud/attack-mode.ts';
import { linkReservation } from '../payments/fraud/card-budget.ts';
import type { Database, Db } from '../db/schema.ts';
import { createDonationContextLoader } from '../payments/donation-context.ts';
import { isRateLimited } from '../payments/stripe/errors.ts';
import type { IntentRequest } from '../payments/stripe/intents.ts';
import { createSubscription } from '../payments/subscriptions/create-subscription.ts';
import { admitDonor } from '../payments/fraud/admit-donor.ts';
import { reserveReference } from '../payments/reference.ts';
import {
  checkDonation,
  releaseIfRejected,
  shareDeadline,
  type DonationDeps,
} from './donation-request.ts';

/**
 * `POST /payment-intents` creates a payment intent for a donation (spec: Collect).
 *
 * The donation is paid to the organization's own account at Stripe. Card data goes from the browser to
 * Stripe and never reaches this server. Accepts an API key, an access token or the token of an embed
 * session. With a `frequency` it is the first payment of a recurring plan:
 * docs/decisions/0036-subscriptions.md
 *
 * @param options.isFormServer the caller is the server of a hosted form, which has checked the donor itself
 */
export const paymentIntents = (deps: RequestDeps, { isFormServer = false } = {}) => {
  const routeDeps = { ...deps, loadContext: createDonationContextLoader(deps) };
  return new Hono<Env>().post(
    '/',
    requireScope('payments:write', { orEmbedSession: true }),
    jsonBody(CreatePaymentIntent),
    shareDeadline,
    async (c) =>
      c.json(await createPaymentIntent(routeDeps, c, c.req.valid('json'), isFormServer), 201),
  );
};

async function createPaymentIntent(
  deps: DonationDeps,
  c: Context<Env>,
  input: CreatePaymentIntent,
  isFormServer: boolean,
): Promise<PaymentIntent> {
  const { credential } = c.var;
  const checked = await checkDonation(deps, c, input);
  const { organization, session, donation, requestKey } = checked;
  await admitDonor(deps, c, { ...checked, isFormServer });
  // The cards of a donor who waits stay reserved for the repeated request.
  await deps.processorQueue.reserveTurn(checked);
  const reference = await reserveReference(deps.db, organization.id, requestKey);
  const request = {
    ...donation,
    reference,
    source: session ? ('embed' as const) : ('api' as const),
    // The source id depends on the same values as `requestKey`, because a retry may come
    // with another embed session, and Stripe rejects a repeated key with other parameters.
    source_id: credential.id,
    requestKey,
  };
  const { intent, livemode, plan_id } = await createAtStripe(
    deps,
    organization,
    request,
    session?.terms,
  ).catch(async (error) => {
    if (isRateLimited(error)) throw await deps.processorQueue.returnTurn(checked, error);
    await releaseIfRejected(deps.db, requestKey, error);
    throw error;
  });
  const source_id = session?.id ?? credential.id;
  const intentToSave = { ...request, source_id, plan_id, livemode };
  const saved = await saveIntent(deps.db, organization, intentToSave, intent);
  // During a card-testing attack the BFF requires a challenge from donors.
  if (saved.attackUntil) c.header(ATTACK_UNTIL_HEADER, saved.attackUntil.toISOString());
  return intent;
}

/** Creates the payment intent or, for a recurring donation, the subscription with its first payment. */
async function createAtStripe(
  { db, processor }: RequestDeps,
  organization: PayableOrganization,
  request: IntentRequest & Pick<ResolvedDonation, 'frequency'>,
  terms: DonationTerms | undefined,
): Promise<{ intent: PaymentIntent; livemode: boolean; plan_id?: string }> {
  const { frequency = 'one_time' } = request;
  if (frequency === 'one_time') {
    return await processor.createPaymentIntent(organization, request);
  }
  return await createSubscription(
    { db, processor },
    organization,
    { ...request, frequency },
    terms,
  );
}

/** A payment intent to save, with the plan that it starts. */
type IntentToSave = IntentRequest & { livemode: boolean; plan_id?: string | undefined };

/**
 * Saves the payment intent and links it to its reserved cards. A repeated request finds both saved.
 *
 * @returns the end of a card-testing attack, which may have started since the request was admitted
 */
async function saveIntent(
  db: Db,
  organization: CredentialOrganization,
  request: IntentToSave,
  { payment_intent_id: id }: PaymentIntent,
): Promise<{ attackUntil: Date | null }> {
  try {
    return await db
      .with('saved', (query) => insertIntent(query, organization, request, id))
      .with('linked', (query) => linkReservation(query, request.requestKey, id))
      .selectNoFrom(selectAttackUntil(db, organization.id).as('attackUntil'))
      .executeTakeFirstOrThrow();
  } catch (cause) {
    const message = 'We could not save this donation. You were not charged.';
    throw new ConnectError('unavailable', message, { cause });
  }
}

const insertIntent = (
  query: QueryCreator<Database>,
  organization: CredentialOrganization,
  request: IntentToSave,
  id: string,
) =>
  forOrganization(query, organization.id)
    .insertInto('payment_intent', {
      id,
      livemode: request.livemode,
      amount_cents: request.amount_cents,
      currency: organization.currency,
      status: 'open',
      fund_id: request.fund_id ?? null,
      campaign_id: request.campaign_id ?? null,
      form_id: request.form_id ?? null,
      form_name: request.form_name ?? null,
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
    );
