import { notFound, type PaymentIntentStatus } from '@connect-embed/contract';
import { queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import type { Deps, Env } from '../env.ts';
import type { Credential } from '../auth/credential.ts';
import { requireScope } from '../auth/require-scope.ts';
import type { Db } from '../db/database.ts';
import { isId } from '../id.ts';
import { NoQuery } from './no-query.ts';

/**
 * `GET /payment-intents/{id}`, additive: has the processor reported it, and which donation is it?
 *
 * Whoever opened an intent may ask for it, and nobody else: the embed session itself, or the key
 * or app that opened it or its session. It tells nothing of the donor.
 */
export const paymentIntentStatus = ({ db }: Pick<Deps, 'db'>) =>
  new Hono<Env>().get(
    '/:payment_intent_id',
    requireScope('payments:write', { orEmbedSession: true }),
    queryParams(NoQuery),
    async (c) => c.json(await loadStatus(db, c.var.credential, c.req.param('payment_intent_id'))),
  );

/** @throws {ConnectError} `not_found`, also for what another credential opened */
async function loadStatus(db: Db, credential: Credential, id: string) {
  const row = isId(id) ? await findIntent(db, credential, id) : undefined;
  if (!row) throw notFound('payment_intent', id);
  return {
    object: 'payment_intent_status',
    payment_intent_id: id,
    status: row.status as PaymentIntentStatus['status'],
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
  return db
    .selectFrom('payment_intent')
    .leftJoin('donation', 'donation.processor_payment_intent_id', 'payment_intent.id')
    .leftJoin('embed_session', 'embed_session.id', 'payment_intent.source_id')
    .select(({ fn }) => [
      'payment_intent.status',
      'donation.id as donation_id',
      fn.coalesce('donation.reference', 'payment_intent.reference').as('reference'),
    ])
    .where('payment_intent.organization_id', '=', organization.id)
    .where('payment_intent.id', '=', id)
    .where((where) =>
      where.or([
        where('payment_intent.source_id', '=', credentialId),
        // A session may ask for its own only, not for what its key opened elsewhere.
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
