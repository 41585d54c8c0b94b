import { sql, type Kysely } from 'kysely';

/**
 * Users, their sign-in sessions and memberships, and their approvals of OAuth apps:
 * docs/decisions/0018-oauth-library.md, docs/decisions/0019-people-and-teams.md
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const ID = 'id text collate "C" primary key';
const CREATED_AT = 'created_at timestamptz(3) not null default clock_timestamp()';
const UPDATED_AT = 'updated_at timestamptz(3) not null default clock_timestamp()';
const ORGANIZATION = 'organization_id text collate "C" not null references organization';
const PERSON = 'person_id text collate "C" not null references person on delete cascade';

/** A session belongs to an API key or to an OAuth grant. */
const ownedByKeyOrGrant = (table: string) => `alter table ${table}
  alter column api_key_id drop not null,
  add column grant_id text collate "C" references oauth_grant on delete cascade,
  add check (num_nonnulls(api_key_id, grant_id) = 1)`;

const STATEMENTS = [
  // The columns of the next four tables are given by the sign-in library (Better Auth); their names
  // are ours.
  `create table person (
    ${ID},
    name text not null,
    email text not null unique,
    email_verified boolean not null,
    image text,
    ${CREATED_AT},
    ${UPDATED_AT}
  )`,
  `create table sign_in_session (
    ${ID},
    ${PERSON},
    token text not null unique,
    expires_at timestamptz(3) not null,
    ip_address text,
    user_agent text,
    ${CREATED_AT},
    ${UPDATED_AT}
  )`,
  `create index sign_in_session_person on sign_in_session (person_id)`,
  `create index sign_in_session_expiry on sign_in_session (expires_at)`,
  `create table sign_in_method (
    ${ID},
    ${PERSON},
    account_id text not null,
    provider_id text not null,
    access_token text,
    refresh_token text,
    id_token text,
    access_token_expires_at timestamptz(3),
    refresh_token_expires_at timestamptz(3),
    scope text,
    password text,
    ${CREATED_AT},
    ${UPDATED_AT}
  )`,
  `create index sign_in_method_person on sign_in_method (person_id)`,
  `create table sign_in_verification (
    ${ID},
    identifier text not null,
    value text not null,
    expires_at timestamptz(3) not null,
    ${CREATED_AT},
    ${UPDATED_AT}
  )`,
  `create index sign_in_verification_identifier on sign_in_verification (identifier)`,
  `create table membership (
    ${ORGANIZATION},
    ${PERSON},
    role text not null check (role in ('owner', 'admin', 'member')),
    permissions text[] not null default '{}',
    ${CREATED_AT},
    primary key (person_id, organization_id)
  )`,
  `create index membership_organization on membership (organization_id)`,
  `alter table api_key add column created_by text collate "C" references person on delete set null`,
  `create table oauth_app (
    ${ID},
    ${PERSON},
    name text not null,
    secret_hash bytea not null,
    redirect_uris text[] not null check (cardinality(redirect_uris) > 0),
    ${CREATED_AT}
  )`,
  `create index oauth_app_person on oauth_app (person_id)`,
  // One app connected to one organization, until the organization revokes it.
  `create table oauth_connection (
    ${ID},
    app_id text collate "C" not null references oauth_app on delete cascade,
    ${ORGANIZATION},
    ${CREATED_AT},
    revoked_at timestamptz(3)
  )`,
  `create unique index oauth_connection_valid on oauth_connection (organization_id, app_id)
    where revoked_at is null`,
  `create index oauth_connection_app on oauth_connection (app_id)`,
  // One approval by one member. Its tokens are valid as long as it exists.
  `create table oauth_grant (
    ${ID},
    connection_id text collate "C" not null references oauth_connection on delete cascade,
    ${PERSON},
    scopes text[] not null,
    ${CREATED_AT}
  )`,
  `create index oauth_grant_connection on oauth_grant (connection_id)`,
  `create index oauth_grant_person on oauth_grant (person_id)`,
  // Authorization codes, access tokens and refresh tokens, stored as the SHA-256 of the token.
  `create table oauth_token (
    token_hash bytea primary key,
    kind text not null check (kind in ('code', 'access', 'refresh')),
    grant_id text collate "C" not null references oauth_grant on delete cascade,
    scopes text[] not null,
    payload jsonb not null,
    consumed_at timestamptz(3),
    expires_at timestamptz(3) not null,
    ${CREATED_AT}
  )`,
  `create index oauth_token_grant on oauth_token (grant_id)`,
  `create index oauth_token_expiry on oauth_token (expires_at)`,
  // An authorization request that waits for a user to sign in and approve.
  `create table oauth_interaction (
    uid_hash bytea primary key,
    payload jsonb not null,
    expires_at timestamptz(3) not null
  )`,
  `create index oauth_interaction_expiry on oauth_interaction (expires_at)`,
  ownedByKeyOrGrant('embed_session'),
  ownedByKeyOrGrant('component_session'),
];
