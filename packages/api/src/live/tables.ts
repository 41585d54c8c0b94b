import type { Generated, GeneratedAlways } from 'kysely';

/** What has changed, in the order in which it was committed: docs/decisions/0058-live.md */
interface ResourceChangeTable {
  /** The transaction's number, which `xid8` counts without end. */
  xid: GeneratedAlways<string>;
  seq: GeneratedAlways<string>;
  organization_id: string;
  kind: string;
  resource_id: string;
  created_at: Generated<Date>;
}

/** Streams that are open, on whatever process. */
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
