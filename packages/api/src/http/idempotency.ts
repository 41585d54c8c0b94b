import { hash, randomUUID } from 'node:crypto';
import { ConnectError, invalidRequest } from '@connect-embed/contract';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { sql } from 'kysely';
import { stringify } from 'safe-stable-stringify';
import { z } from 'zod';
import { forOrganization } from '../db/organization-scope.ts';
import type { Db } from '../db/schema.ts';
import type { EncryptedField } from '../lib/column-encrypter.ts';
import { isId } from '../lib/id.ts';
import type { HttpDeps, Env } from './env.ts';

/** How long a response is stored for replay. */
const RETENTION_HOURS = 24;
/** Lock time-to-live after a crash. A live request renews the lock every RENEW_MS. */
const LOCK_SECONDS = 10;
const RENEW_MS = 3_000;

/** One attempt to run a request with an `Idempotency-Key`. */
interface Attempt {
  id: string;
  credentialId: string;
  organizationId: string;
  key: string;
  fingerprint: Buffer;
}

/**
 * Middleware that runs a POST with an `Idempotency-Key` once: docs/decisions/0009-idempotency.md
 *
 * The key is locked in the database first, so that one process runs the request and all others respond
 * `conflict` with Retry-After. After the response is stored, a repeated request gets the same bytes.
 *
 * @throws {ConnectError} `conflict` while the first request runs, or if the body differs
 */
export const idempotent = (deps: HttpDeps) =>
  createMiddleware<Env>(async (c, next) => {
    const key = c.req.header('idempotency-key');
    if (c.req.method !== 'POST' || key === undefined) return await next();
    if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
      throw invalidRequest('Idempotency-Key', 'must be 1 to 255 characters without spaces.');
    }
    const attempt: Attempt = {
      id: randomUUID(),
      credentialId: c.var.credential.id,
      organizationId: c.var.credential.organization.id,
      key,
      fingerprint: await fingerprintOf(deps, c),
    };
    if (!(await acquireLock(deps, attempt))) return await replay(deps, attempt, c);
    const renewalTimer = setInterval(() => void renewLock(deps, attempt), RENEW_MS);
    await next().finally(() => clearInterval(renewalTimer));
    await finishAttempt(deps, attempt, c);
  });

/**
 * The fingerprint of a request: the SHA-256 of its method, path and body, and of the embed session's
 * fund and campaign.
 *
 * Two bodies with equal parsed content have the same fingerprint. The embed session's id is not part
 * of it: a retried donation may come with a renewed session, or with the one of another server
 * process. A session with another fund or campaign makes it another donation.
 *
 * The body is read as an ArrayBuffer: Hono caches the body by type, and the validator needs the bytes.
 */
async function fingerprintOf({ db }: HttpDeps, c: Context<Env>): Promise<Buffer> {
  const text = Buffer.from(await c.req.arrayBuffer()).toString();
  const { session, body } = parseBody(text);
  const request = hash('sha256', `${c.req.method} ${c.req.path}\n${body}`, 'buffer');
  const target = session && isId(session) ? await findTarget(db, session, c) : '';
  return hash('sha256', Buffer.concat([request, Buffer.from(target)]), 'buffer');
}

/** Names the fund and the campaign of an embed session; empty if it has neither. */
async function findTarget(db: Db, id: string, c: Context<Env>): Promise<string> {
  const session = await forOrganization(db, c.var.credential.organization.id)
    .selectFrom('embed_session')
    .select('terms')
    .where('id', '=', id)
    .executeTakeFirst();
  const { fund_id: fund, campaign_id: campaign } = session?.terms ?? {};
  return fund || campaign ? `\n${fund ?? ''} ${campaign ?? ''}` : '';
}

/** Returns the body as canonical JSON without the embed session's id; unchanged if it is not valid JSON. */
function parseBody(text: string): { session?: string | undefined; body: string } {
  try {
    const { embed_session_id: session, ...otherFields } = Session.parse(JSON.parse(text));
    return { session, body: stringify(otherFields) };
  } catch {
    return { body: text }; // The validator rejects this body later.
  }
}

const Session = z.looseObject({ embed_session_id: z.string().optional() });

/** Locks the key if it is new or expired, or if the lock of the same request has expired. */
async function acquireLock({ db }: HttpDeps, attempt: Attempt): Promise<boolean> {
  const lease = {
    attempt_id: attempt.id,
    locked_until: lockEnd(),
    expires_at: sql<Date>`clock_timestamp() + ${`${RETENTION_HOURS} h`}::interval`,
    status: null,
    encrypted_body: null,
  };
  const acquired = await db
    .insertInto('idempotency_key')
    .values({
      ...lease,
      credential_id: attempt.credentialId,
      key: attempt.key,
      fingerprint: attempt.fingerprint,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['credential_id', 'key'])
        .doUpdateSet((eb) => ({ ...lease, fingerprint: eb.ref('excluded.fingerprint') }))
        .where(
          sql<boolean>`idempotency_key.expires_at < clock_timestamp() or (
            idempotency_key.status is null
            and idempotency_key.locked_until < clock_timestamp()
            and idempotency_key.fingerprint = excluded.fingerprint)`,
        ),
    )
    .returning('attempt_id')
    .executeTakeFirst();
  return acquired !== undefined;
}

const lockEnd = () => sql<Date>`clock_timestamp() + ${`${LOCK_SECONDS} s`}::interval`;

/** Extends the lock. If this fails, the lock expires as after a crash, and a retry may start. */
async function renewLock({ db, log }: HttpDeps, attempt: Attempt): Promise<void> {
  const locked = { locked_until: lockEnd() };
  const query = db.updateTable('idempotency_key').set(locked).where(isOwnAttempt(attempt));
  await query
    .where('status', 'is', null)
    .execute()
    .catch((err: unknown) => log.warn({ err }, 'a lock could not be renewed'));
}

async function replay(
  { db, responseEncrypter }: HttpDeps,
  attempt: Attempt,
  c: Context,
): Promise<Response> {
  const stored = await db
    .selectFrom('idempotency_key')
    .select(['status', 'encrypted_body'])
    .select(sql<boolean>`fingerprint = ${attempt.fingerprint}`.as('is_same_request'))
    .select(
      sql<number>`ceil(extract(epoch from locked_until - clock_timestamp()))::int`.as(
        'remaining_seconds',
      ),
    )
    .where('credential_id', '=', attempt.credentialId)
    .where('key', '=', attempt.key)
    .executeTakeFirst();
  if (stored && !stored.is_same_request) {
    throw new ConnectError('conflict', 'Idempotency-Key was already used with another request.', {
      code: 'idempotency_key_reused',
      param: 'Idempotency-Key',
    });
  }
  const field = storedResponseOf(attempt.organizationId);
  const body =
    stored?.encrypted_body && (await responseEncrypter.decrypt(stored.encrypted_body, field));
  if (!stored?.status || !body) {
    throw new ConnectError(
      'conflict',
      'Idempotency-Key is in use: the first request with this key is still in progress.',
      {
        code: 'idempotency_key_in_use',
        param: 'Idempotency-Key',
        retryAfterSeconds: Math.max(1, stored?.remaining_seconds ?? 1),
      },
    );
  }
  return c.body(body, stored.status as ContentfulStatusCode, {
    'content-type': 'application/json',
    'idempotent-replayed': 'true',
  });
}

/**
 * Stores a successful response for replay. After a 4xx response, which changed nothing, the key is
 * deleted. After a 5xx response the outcome is unknown: the key is unlocked, but only for a retry of
 * the same request.
 */
async function finishAttempt(
  { db, responseEncrypter }: HttpDeps,
  attempt: Attempt,
  c: Context<Env>,
): Promise<void> {
  const { res: response } = c;
  if (response.status >= 400 && response.status < 500) {
    await db.deleteFrom('idempotency_key').where(isOwnAttempt(attempt)).execute();
    return;
  }
  const { status, headers } = response;
  const body = response.ok ? await response.text() : undefined;
  if (body !== undefined) {
    // A new response of the text, because a clone would make two streams of it. Hono merges the headers of the
    // old response into a new one, unless it is removed first.
    c.res = undefined;
    c.res = new Response(body || null, { status, headers });
  }
  const field = storedResponseOf(attempt.organizationId);
  const outcome =
    body === undefined
      ? { locked_until: new Date(0) }
      : { status, encrypted_body: await responseEncrypter.encrypt(body, field) };
  await db.updateTable('idempotency_key').set(outcome).where(isOwnAttempt(attempt)).execute();
}

/** The field of a response that is stored for an organization. */
export const storedResponseOf = (organizationId: string): EncryptedField => ({
  column: 'idempotency_key.encrypted_body',
  organizationId,
});

const isOwnAttempt = ({ id, credentialId, key }: Attempt) =>
  sql<boolean>`credential_id = ${credentialId} and key = ${key} and attempt_id = ${id}`;
