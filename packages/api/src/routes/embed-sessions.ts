import {
  completeTerms,
  ConnectError,
  CreateEmbedSession,
  MAX_GIFT_CENTS,
  MIN_GIFT_CENTS,
  SESSION_LIFETIME_SECONDS,
  type EmbedForm,
  type EmbedSession,
} from '@connect-embed/contract';
import { jsonBody, queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import type { Deps, Env } from '../app.ts';
import { EMBED_SESSION_PREFIX, type Credential } from '../auth/credential.ts';
import { requireScope } from '../auth/require-scope.ts';
import { findGiftTarget } from '../gift-target.ts';
import { hashToken, newId, newToken } from '../id.ts';
import { NoQuery } from './no-query.ts';

const BOUNDS = { min: MIN_GIFT_CENTS, max: MAX_GIFT_CENTS };

/**
 * `POST /embed-sessions` fixes the terms of a form for an hour (spec: Embedding), and
 * `GET /embed-sessions/current`, additive, tells its bearer what to draw.
 */
export const embedSessions = (deps: Deps) =>
  new Hono<Env>()
    .post(
      '/',
      requireScope('payments:write'),
      jsonBody(CreateEmbedSession, { mayBeEmpty: true }),
      async (c) => {
        const { prefill = {}, ...input } = c.req.valid('json');
        const { credential } = c.var;
        const terms = completeTerms(input, BOUNDS);
        await findGiftTarget(deps.db, credential.organization.id, terms);

        const token = newToken(EMBED_SESSION_PREFIX);
        const session = {
          id: newId('es'),
          organization_id: credential.organization.id,
          expires_at: new Date(Date.now() + SESSION_LIFETIME_SECONDS * 1000),
        };
        await deps.db
          .insertInto('embed_session')
          .values({
            ...session,
            ...credential.endsWith,
            token_hash: hashToken(token),
            terms: JSON.stringify(terms),
            prefill: JSON.stringify(prefill),
          })
          .execute();
        return c.json(
          {
            ...session,
            object: 'embed_session',
            session_token: token,
            embed_url: `${deps.baseUrl}/embed/${session.id}`,
            expires_at: session.expires_at.toISOString(),
          } satisfies EmbedSession,
          201,
        );
      },
    )
    .get('/current', queryParams(NoQuery), async (c) =>
      c.json(await readForm(deps, c.var.credential)),
    );

/**
 * What to draw under an embed session.
 *
 * @throws {ConnectError} `forbidden` for a token that is no embed session's
 */
export async function readForm(
  { db, processor }: Deps,
  credential: Credential,
): Promise<EmbedForm> {
  if (credential.kind !== 'embed_session') {
    throw new ConnectError('forbidden', "This takes an embed session's own token.");
  }
  const { terms, prefill } = await db
    .selectFrom('embed_session')
    .select(['terms', 'prefill'])
    .where('id', '=', credential.id)
    .executeTakeFirstOrThrow();
  const { organization } = credential;
  return {
    object: 'embed_form',
    organization: { id: organization.id, name: organization.name },
    currency: organization.currency,
    terms,
    ...(await findGiftTarget(db, organization.id, terms)),
    prefill: {
      donor_name: prefill.donor_name ?? null,
      donor_email: prefill.donor_email ?? null,
    },
    publishable_key: processor.publishableKey,
    stripe_account_id: organization.processorAccountId,
    stripe_js_url: processor.scriptUrl,
    livemode: processor.livemode,
  };
}
