import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../db/schema.ts';
import type { Prepare } from '../db/prepared.ts';
import { hashToken } from '../lib/id.ts';
import { ACCESS_TOKENS } from '../oauth/access-token.ts';
import { API_KEYS } from './api-key.ts';
import {
  ACCESS_TOKEN_PREFIX,
  API_KEY_PREFIX,
  COMPONENT_SESSION_PREFIX,
  EMBED_SESSION_PREFIX,
  type Credential,
} from '../http/credential.ts';
import { SECONDS_UNTIL_NEXT_REQUEST, CONSUME_REQUEST_BUDGET, type Budget } from './rate-limit.ts';
import { COMPONENT_SESSIONS, EMBED_SESSIONS } from './session.ts';

/**
 * Defines how credentials of one kind are selected from the database and converted from their row.
 */
interface CredentialKind<Row> {
  /**
   * Selects the credential by the SHA-256 of its token. The column `budget_key` identifies the rate
   * limit in which the request is counted.
   */
  select(db: Db, hash: RawBuilder<Buffer>): { execute(): Promise<Row[]> };
  read(row: NoInfer<Row>): Credential | undefined;
}

/** A credential with the state of its rate limit. */
export interface AuthResult {
  credential: Credential;
  budget: Budget;
}

/** Format of all our tokens: a prefix and 43 characters, which encode 256 bits. */
const TOKEN_PATTERN = /^(gb_live_|gba_|gb_es_|gb_cs_)[\w-]{43}$/;

/**
 * Creates a function that finds the credential of a token and counts the request. Both happen in
 * one SQL statement, so that they take one round trip: docs/decisions/0024-rate-limit.md
 *
 * Nothing is cached, so that a revoked key fails with the next request in all processes. A session
 * ends with the key or grant that created it.
 *
 * @returns a function that returns undefined if the token is not a valid credential
 */
export function createCredentialLookup(prepare: Prepare) {
  const lookups: Record<string, CredentialLookup> = {
    [API_KEY_PREFIX]: createLookupFor(prepare, API_KEYS),
    [ACCESS_TOKEN_PREFIX]: createLookupFor(prepare, ACCESS_TOKENS),
    [EMBED_SESSION_PREFIX]: createLookupFor(prepare, EMBED_SESSIONS),
    [COMPONENT_SESSION_PREFIX]: createLookupFor(prepare, COMPONENT_SESSIONS),
  };
  return async (token: string): Promise<AuthResult | undefined> =>
    await lookups[TOKEN_PATTERN.exec(token)?.[1] ?? '']?.(hashToken(token));
}

type CredentialLookup = (hash: Buffer) => Promise<AuthResult | undefined>;

function createLookupFor<Row extends { budget_key: string | null }>(
  prepare: Prepare,
  kind: CredentialKind<Row>,
): CredentialLookup {
  const executeLookup = prepare<Row & Budget, { hash: Buffer }>(
    (value, db) => sql`
      with credential as (${kind.select(db, value('hash'))}),
        consumed as (${CONSUME_REQUEST_BUDGET})
      select credential.*, consumed.remaining, ${SECONDS_UNTIL_NEXT_REQUEST} as seconds
      from credential left join consumed on true`,
  );
  return async (hash) => {
    const [row] = await executeLookup({ hash });
    const credential = row && kind.read(row);
    return credential && { credential, budget: row };
  };
}
