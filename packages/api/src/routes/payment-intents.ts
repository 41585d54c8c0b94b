import { createHash, randomUUID } from 'node:crypto';
import {
  ConnectError,
  CreatePaymentIntent,
  invalidRequest,
  settleGift,
  type PaymentIntent,
  type SettledGift,
} from '@connect-embed/contract';
import { jsonBody } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import type { Deps, Env } from '../app.ts';
import type { Credential } from '../auth/credential.ts';
import { requireScope } from '../auth/require-scope.ts';
import type { Db } from '../db/database.ts';
import { findGiftTarget } from '../gift-target.ts';
import { isId } from '../id.ts';

/**
 * `POST /payment-intents` starts a gift (spec: Collect).
 *
 * The money settles in the organization's own processor account. Card data goes from the donor's
 * browser to the processor and never passes here. Takes an API key, or an embed session's token.
 */
export const paymentIntents = ({ db, processor }: Deps) =>
  new Hono<Env>().post(
    '/',
    requireScope('payments:write', { orEmbedSession: true }),
    jsonBody(CreatePaymentIntent),
    async (c) => {
      const { credential } = c.var;
      const { organization } = credential;
      const { embed_session_id, ...asked } = c.req.valid('json');
      const session = await findSession(db, credential, embed_session_id);
      const gift: SettledGift = session ? settleGift(session.terms, asked) : asked;
      await findGiftTarget(db, organization.id, gift);

      const request = {
        ...gift,
        source: session ? ('embed' as const) : ('api' as const),
        source_id: session?.id ?? credential.id,
        idempotencyKey: processorKey(credential, c.req.header('idempotency-key')),
      };
      const intent = await processor.createPaymentIntent(organization, request);
      await keepIntent(db, credential, request, intent);
      return c.json(intent, 201);
    },
  );

/**
 * The embed session that a gift is made under, if any.
 *
 * @throws {ConnectError} `invalid_request` naming `embed_session_id`
 */
async function findSession(db: Db, credential: Credential, named: string | undefined) {
  const own = credential.kind === 'embed_session' ? credential.id : undefined;
  const id = named ?? own;
  if (id === undefined) return undefined;
  const session =
    isId(id) &&
    (own === undefined || own === id) &&
    (await db
      .selectFrom('embed_session')
      .select(['id', 'terms'])
      .where('organization_id', '=', credential.organization.id)
      .where('id', '=', id)
      .where('expires_at', '>', new Date())
      .executeTakeFirst());
  if (!session) throw invalidRequest('embed_session_id', 'has expired, or is not yours.');
  return session;
}

/**
 * The processor's idempotency key. It follows from ours, so that a repetition after a crash finds
 * the intent that was opened before it: docs/decisions/0009-idempotency.md
 */
function processorKey(credential: Credential, ours: string | undefined): string {
  if (ours === undefined) return randomUUID();
  const parts = JSON.stringify([credential.organization.id, credential.id, ours]);
  return createHash('sha256').update(parts).digest('hex');
}

/** Remembers the intent. A repetition of the same gift finds it kept already. */
async function keepIntent(
  db: Db,
  { organization }: Credential,
  request: { amount_cents: number; source: 'embed' | 'api'; source_id: string },
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
        source: request.source,
        source_id: request.source_id,
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  } catch (cause) {
    throw new ConnectError('unavailable', 'The gift could not be kept; nothing was charged.', {
      cause,
    });
  }
}
