import type { Kysely, Transaction } from 'kysely';
import type { DB } from './tables.ts';

export type Database = DB;

/** The query builder of the service's database, or of a transaction. */
export type Db = Kysely<Database>;

export type Tx = Transaction<Database>;
