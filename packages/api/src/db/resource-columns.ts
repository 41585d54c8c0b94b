import { sql } from 'kysely';

/** A time as answers carry it: UTC, to the millisecond, as `Date.toISOString` writes it. */
export const iso = (column: string) => sql<string>`${text(column)}`;

/** The same of a time that may be unknown. */
export const isoOrNull = (column: string) => sql<string | null>`${text(column)}`;

const text = (column: string) =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The `object` of a resource, which names its kind. */
export const objectType = <Name extends string>(name: Name) =>
  sql<Name>`${sql.lit(name)}`.as('object');
