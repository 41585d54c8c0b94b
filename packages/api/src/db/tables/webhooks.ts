import type { ColumnType, Generated } from 'kysely';

/** Set by the database on insert. */
type CreatedAt = ColumnType<Date, Date | undefined, never>;

export type DisabledReason = 'gone' | 'failing' | 'revoked' | 'paused';

interface WebhookEndpointTable {
  id: string;
  organization_id: string;
  /**
   * Id of the credential that created the endpoint; no other credential can manage it. Null for an
   * endpoint that was created in the dashboard.
   */
  credential_id: string | null;
  url: string;
  description: string | null;
  events: string[];
  encrypted_secret: string;
  /** The secret before the last rotation. Deliveries are also signed with it until `previous_secret_until`. */
  encrypted_previous_secret: string | null;
  previous_secret_until: Date | null;
  /** True if the last attempt failed or was slow, or if there was none. Deliveries then use the slow lane. */
  slow: Generated<boolean>;
  /** Start of the current period without a success; null after a success. */
  failing_since: Date | null;
  last_failed_at: Date | null;
  disabled_at: Date | null;
  disabled_reason: DisabledReason | null;
  created_at: CreatedAt;
}

interface WebhookEventTable {
  id: string;
  organization_id: string;
  type: string;
  /** The JSON text that is sent. */
  body: string;
  created_at: CreatedAt;
  /** The transaction that saved the event. */
  transaction_id: Generated<string>;
}

interface WebhookDeliveryTable {
  id: string;
  organization_id: string;
  endpoint_id: string;
  event_id: string;
  event_type: string;
  status: Generated<'pending' | 'delivered' | 'failed'>;
  attempts: Generated<number>;
  /** Attempts before the last manual redelivery, which restarts the schedule. */
  attempts_before_redelivery: Generated<number>;
  last_response_status: number | null;
  last_error: string | null;
  next_attempt_at: Generated<Date | null>;
  /** A worker has claimed the delivery until this time. Afterwards another worker may claim it. */
  leased_until: Date | null;
  delivered_at: Date | null;
  created_at: CreatedAt;
}

interface WebhookAttemptTable {
  delivery_id: string;
  number: number;
  started_at: Date;
  duration_ms: number;
  response_status: number | null;
  error: string | null;
}

/** Tables of webhooks, as part of the database schema. */
export interface WebhookTables {
  webhook_endpoint: WebhookEndpointTable;
  webhook_event: WebhookEventTable;
  webhook_delivery: WebhookDeliveryTable;
  webhook_attempt: WebhookAttemptTable;
}
