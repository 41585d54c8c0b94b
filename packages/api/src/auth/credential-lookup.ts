import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Prepare, ValueOf } from '../db/prepared.ts';
import { hashToken } from '../id.ts';
import { ACCESS_TOKENS } from '../oauth/access-token.ts';
import { API_KEYS } from './api-key.ts';
import {
  ACCESS_TOKEN_PREFIX,
  API_KEY_PREFIX,
  COMPONENT_SESSION_PREFIX,
  EMBED_SESSION_PREFIX,
  type Credential,
} from './credential.ts';
import { SECONDS_UNTIL_NEXT_REQUEST, CONSUME_REQUEST_BUDGET, type Budget } from './rate-limit.ts';
import { COMPONENT_SESSIONS, EMBED_SESSIONS } from './session.ts';

/** How credentials of one kind are found and read. */
interface CredentialKind<Row> {
  /** By the SHA-256 of the token; `budget_key` says whose requests it uses up. */
  select(db: Db, hash: RawBuilder<Buffer>): { execute(): Promise<Row[]> };
  read(row: NoInfer<Row>): Credential | undefined;
}

/** Somebody who may ask, and how often they still may. */
export interface AuthResult {
  credential: Credential;
  budget: Budget;
  /** What was read besides, unchecked: whether the credential may see it is still to be asked. */
  page: string | null;
}

/** What the statement reads besides for the organization of the `credential`, if the request counts. */
type PageQuery<Values> = (value: ValueOf<Values>, db: Db) => RawBuilder<string | null>;

/** Every token of ours, and nothing longer: 43 characters carry 256 bits. */
const TOKEN_PATTERN = /^(gb_live_|gba_|gb_es_|gb_cs_)[\w-]{43}$/;

/**
 * Finds the credential behind a token and counts the request, in one statement and so in one round
 * trip: docs/decisions/0024-limit-with-the-credential.md
 *
 * Nothing is cached, so that a revoked key fails on its very next request, on every process; a
 * session ends with the key or approval that minted it.
 *
 * @param page is read in the same statement
 * @returns undefined for a token that is no valid credential
 */
export function createCredentialLookup<Values extends object = object>(
  prepare: Prepare,
  page?: PageQuery<Values>,
) {
  const lookups: Record<string, CredentialLookup<Values>> = {
    [API_KEY_PREFIX]: lookupFor(prepare, API_KEYS, page),
    [ACCESS_TOKEN_PREFIX]: lookupFor(prepare, ACCESS_TOKENS, page),
    [EMBED_SESSION_PREFIX]: lookupFor(prepare, EMBED_SESSIONS, page),
    [COMPONENT_SESSION_PREFIX]: lookupFor(prepare, COMPONENT_SESSIONS, page),
  };
  return async (token: string, values: Values): Promise<AuthResult | undefined> =>
    await lookups[TOKEN_PATTERN.exec(token)?.[1] ?? '']?.(hashToken(token), values);
}

type CredentialLookup<Values> = (hash: Buffer, values: Values) => Promise<AuthResult | undefined>;

function lookupFor<Row extends { budget_key: string | null }, Values extends object>(
  prepare: Prepare,
  kind: CredentialKind<Row>,
  page: PageQuery<Values> = () => sql`null::text`,
): CredentialLookup<Values> {
  const ask = prepare<Row & Budget & { page: string | null }, Values & { hash: Buffer }>(
    (value, db) => sql`
      with credential as (${kind.select(db, value('hash') as RawBuilder<Buffer>)}),
        taken as (${CONSUME_REQUEST_BUDGET})
      select credential.*, taken.remaining, ${SECONDS_UNTIL_NEXT_REQUEST} as seconds,
        case when taken.remaining is not null then ${page(value as never, db)} end as page
      from credential left join taken on true`,
  );
  return async (hash, values) => {
    const [row] = await ask({ ...values, hash });
    const credential = row && kind.read(row);
    return credential && { credential, budget: row, page: row.page };
  };
}
