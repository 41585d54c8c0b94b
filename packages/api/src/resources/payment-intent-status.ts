import { notFound, type PaymentIntentStatus } from '@connect-embed/contract';
import { NoQuery, queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import type { Env } from '../http/env.ts';
import type { RequestDeps } from '../payments/deps.ts';
import type { Credential } from '../http/credential.ts';
import { requireScope } from '../auth/require-scope.ts';
import { forOrganization } from '../db/organization-scope.ts';
import type { Db } from '../db/schema.ts';
import { isId } from '../lib/id.ts';

/**
 * `GET /payment-intents/{id}`: the status of a payment intent as Stripe reported it, and its
 * donation.
 *
 * The status can be read by the embed session that created the payment intent, and by the API key
 * or OAuth grant that created the payment intent or its session. It contains no data of the donor.
 */
export const paymentIntentStatus = ({ db }: Pick<RequestDeps, 'db'>) =>
  new Hono<Env>().get(
    '/:payment_intent_id',
    requireScope('payments:write', { orEmbedSession: true }),
    queryParams(NoQuery),
    async (c) => c.json(await loadStatus(db, c.var.credential, c.req.param('payment_intent_id'))),
  );

/**
 * Loads the status of a payment intent.
 *
 * @throws {ConnectError} `not_found`, also for a payment intent of another credential
 */
async function loadStatus(db: Db, credential: Credential, id: string) {
  const row = isId(id) ? await findIntent(db, credential, id) : undefined;
  if (!row) throw notFound('payment_intent', id);
  return {
    object: 'payment_intent_status',
    payment_intent_id: id,
    status: row.status,
    expected_at: row.status === 'processing' ? (row.expected_at?.toISOString() ?? null) : null,
    donation_id: row.donation_id,
    reference: row.reference,
  } satisfies PaymentIntentStatus;
}

function findIntent(
  db: Db,
  { id: credentialId, organization, revokedWith, kind }: Credential,
  id: string,
) {
  const { api_key_id, grant_id } = revokedWith;
  return forOrganization(db, organization.id)
    .selectFrom('payment_intent')
    .leftJoin('donation', 'donation.processor_payment_intent_id', 'payment_intent.id')
    .leftJoin('embed_session', 'embed_session.id', 'payment_intent.source_id')
    .select(({ fn }) => [
      'payment_intent.status',
      'payment_intent.expected_at',
      'donation.id as donation_id',
      fn.coalesce('donation.reference', 'payment_intent.reference').as('reference'),
    ])
    .where('payment_intent.id', '=', id)
    .where((where) =>
      where.or([
        where('payment_intent.source_id', '=', credentialId),
        // An embed session can only read its own intents, not others of its key.
        where.and([
          where.lit(kind !== 'embed_session'),
          where.or([
            where('embed_session.api_key_id', '=', api_key_id ?? ''),
            where('embed_session.grant_id', '=', grant_id ?? ''),
          ]),
        ]),
      ]),
    )
    .executeTakeFirst();
}
