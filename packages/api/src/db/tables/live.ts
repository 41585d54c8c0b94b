import type { Generated, GeneratedAlways } from 'kysely';

/** The log of changed resources, in the order of transactions: docs/decisions/0058-live-tables.md */
interface ResourceChangeTable {
  /** The transaction id. `xid8` does not wrap around. */
  xid: Generated<string>;
  seq: GeneratedAlways<number>;
  organization_id: string;
  kind: string;
  resource_id: string;
  created_at: Generated<Date>;
}

/** Open live streams of all processes. */
interface LiveStreamTable {
  id: string;
  process: string;
  session_id: string;
  organization_id: string;
  opened_at: Generated<Date>;
  seen_at: Generated<Date>;
}

export interface LiveTables {
  resource_change: ResourceChangeTable;
  live_stream: LiveStreamTable;
}
