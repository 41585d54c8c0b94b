import { sql, type Kysely } from 'kysely';

/**
 * For the dashboard: webhook endpoints of an organization, pausing of endpoints, and invitations.
 * docs/decisions/0008-webhooks.md, docs/decisions/0019-people-and-teams.md
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // Null for endpoints that were created in the dashboard and belong to the organization.
  `alter table webhook_endpoint alter column credential_id drop not null`,
  `alter table webhook_endpoint drop constraint webhook_endpoint_disabled_reason_check`,
  `alter table webhook_endpoint add constraint webhook_endpoint_disabled_reason_check
    check (disabled_reason in ('gone', 'failing', 'revoked', 'paused'))`,
  `create index webhook_endpoint_organization on webhook_endpoint (organization_id, created_at, id)`,
  // For the filters by status: few deliveries are failed or pending among many that were delivered.
  `create index webhook_delivery_failed on webhook_delivery (endpoint_id, created_at, id)
    where status = 'failed'`,
  `create index webhook_delivery_pending on webhook_delivery (endpoint_id, created_at, id)
    where status = 'pending'`,
  `create table invitation (
    id text collate "C" primary key,
    organization_id text collate "C" not null references organization,
    email text not null,
    role text not null check (role in ('owner', 'admin', 'member')),
    permissions text[] not null default '{}',
    token_hash bytea not null unique,
    invited_by text collate "C" references person on delete set null,
    expires_at timestamptz(3) not null,
    accepted_at timestamptz(3),
    created_at timestamptz(3) not null default clock_timestamp()
  )`,
  `create index invitation_organization on invitation (organization_id, created_at, id)`,
];
