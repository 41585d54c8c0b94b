import { sql } from 'kysely';

/**
 * SQL that formats a time as responses contain it: in UTC with milliseconds, like
 * `Date.toISOString`.
 */
export const iso = (column: string) => sql<string>`${isoText(column)}`;

/** Like `iso`, for a nullable column. */
export const isoOrNull = (column: string) => sql<string | null>`${isoText(column)}`;

/** SQL that formats a time column as text. */
const isoText = (column: string) =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** SQL of a resource's field `object`, the name of its kind (spec: Resources and their fields). */
export const objectType = <Name extends string>(name: Name) =>
  sql<Name>`${sql.lit(name)}`.as('object');
