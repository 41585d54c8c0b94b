import type { Generated } from 'kysely';

/** Since when, and until when, cards were being tested on the forms of an organization. */
interface AttackAlarmTable {
  id: string;
  organization_id: string;
  started_at: Generated<Date>;
  /** The last time that it looked like an attack; the alarm holds for a while longer. */
  held_at: Generated<Date>;
  /** Of the worst quarter of an hour. */
  failed: number;
  tried: number;
}

/** The table of this folder, as part of the schema. */
export interface CardTestingTables {
  attack_alarm: AttackAlarmTable;
}
