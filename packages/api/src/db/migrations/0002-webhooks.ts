import { sql, type Kysely } from 'kysely';

/**
 * Webhook endpoints, events and deliveries. The table `webhook_delivery` is the queue:
 * docs/decisions/0008-webhooks.md
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const ID = 'id text collate "C" primary key';
const ORGANIZATION = 'organization_id text collate "C" not null references organization';
const CREATED_AT = 'created_at timestamptz(3) not null default clock_timestamp()';

const STATEMENTS = [
  // A new endpoint counts as slow until it has responded in time.
  `create table webhook_endpoint (
    ${ID},
    ${ORGANIZATION},
    credential_id text collate "C" not null,
    url text not null,
    description text,
    events text[] not null,
    sealed_secret text not null,
    sealed_previous_secret text,
    previous_secret_until timestamptz(3),
    slow boolean not null default true,
    failing_since timestamptz(3),
    last_failed_at timestamptz(3),
    disabled_at timestamptz(3),
    disabled_reason text check (disabled_reason in ('gone', 'failing', 'revoked')),
    ${CREATED_AT},
    check ((disabled_at is null) = (disabled_reason is null))
  )`,
  `create index webhook_endpoint_list on webhook_endpoint (credential_id, created_at, id)`,
  `create index webhook_endpoint_receivers on webhook_endpoint (organization_id)
    where disabled_at is null`,
  // The body is stored as first sent, so that every attempt signs the same bytes.
  `create table webhook_event (
    ${ID},
    ${ORGANIZATION},
    type text not null,
    body text not null,
    ${CREATED_AT}
  )`,
  `create index webhook_event_age on webhook_event (created_at)`,
  `create table webhook_delivery (
    ${ID},
    ${ORGANIZATION},
    endpoint_id text collate "C" not null references webhook_endpoint on delete cascade,
    event_id text collate "C" not null references webhook_event,
    event_type text not null,
    status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
    attempts int not null default 0,
    attempts_before int not null default 0,
    last_response_status int,
    last_error text,
    next_attempt_at timestamptz(3) default clock_timestamp(),
    leased_until timestamptz(3),
    delivered_at timestamptz(3),
    ${CREATED_AT},
    unique (event_id, endpoint_id),
    check ((status = 'pending') = (next_attempt_at is not null)),
    check ((status = 'delivered') = (delivered_at is not null))
  )`,
  `create index webhook_delivery_list on webhook_delivery (endpoint_id, created_at, id)`,
  `create index webhook_delivery_queue on webhook_delivery (endpoint_id, next_attempt_at)
    where status = 'pending'`,
  `create index webhook_delivery_leased on webhook_delivery (endpoint_id, leased_until)
    where leased_until is not null`,
  `create index webhook_delivery_settled on webhook_delivery (created_at) where status <> 'pending'`,
  `create table webhook_attempt (
    delivery_id text collate "C" not null references webhook_delivery on delete cascade,
    number int not null,
    started_at timestamptz(3) not null,
    duration_ms int not null,
    response_status int,
    error text,
    primary key (delivery_id, number)
  )`,
];
