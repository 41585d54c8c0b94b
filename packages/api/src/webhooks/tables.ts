import type { ColumnType, Generated } from 'kysely';

/** Set by the database when the row is made. */
type CreatedAt = ColumnType<Date, Date | undefined, never>;

export type DisabledReason = 'gone' | 'failing' | 'revoked' | 'paused';

interface WebhookEndpointTable {
  id: string;
  organization_id: string;
  /** The credential that made it, and that alone manages it; null: the organization itself. */
  credential_id: string | null;
  url: string;
  description: string | null;
  events: string[];
  sealed_secret: string;
  /** The secret before the last rotation; it signs too, until then. */
  sealed_previous_secret: string | null;
  previous_secret_until: Date | null;
  /** Failed or was slow when last tried, or was never tried: it waits in a lane of its own. */
  slow: Generated<boolean>;
  /** Since when no attempt succeeded; null while they do. */
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
  /** The notice, byte for byte. */
  body: string;
  created_at: CreatedAt;
}

interface WebhookDeliveryTable {
  id: string;
  organization_id: string;
  endpoint_id: string;
  event_id: string;
  event_type: string;
  status: Generated<'pending' | 'delivered' | 'failed'>;
  attempts: Generated<number>;
  /** Of these, the ones before somebody asked for it to be sent again. */
  attempts_before: Generated<number>;
  last_response_status: number | null;
  last_error: string | null;
  next_attempt_at: Generated<Date | null>;
  /** A worker has it until then; afterwards that worker is taken for dead. */
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

/** The tables of this folder, as part of the schema. */
export interface WebhookTables {
  webhook_endpoint: WebhookEndpointTable;
  webhook_event: WebhookEventTable;
  webhook_delivery: WebhookDeliveryTable;
  webhook_attempt: WebhookAttemptTable;
}
