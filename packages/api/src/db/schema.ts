import type { Kysely } from 'kysely';
import type { DB } from './tables.ts';

/** The columns of all tables. */
export type Database = DB;

/** The query builder of the service's database, or of a transaction. */
export type Db = Kysely<Database>;
