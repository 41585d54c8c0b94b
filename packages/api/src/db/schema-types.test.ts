import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { cloneDatabase } from '../../test-support/database.ts';
import { readTableTypes, type Column, type Columns } from '../../test-support/table-types.ts';
import { openDatabase } from './database.ts';

const { url, drop } = await cloneDatabase();
const { db, close } = openDatabase(url);
after(() => close().then(drop));

/** A value of each PostgreSQL type of a column. `_` is the prefix of arrays. */
const SAMPLES: Record<string, string> = {
  ...{ text: 'a', varchar: 'a', tsvector: 'a', xid8: '1', bool: 'true', jsonb: '{}' },
  ...{ int2: '1', int4: '1', int8: '1', float8: '1', bytea: '\\x00', timestamptz: '2026-01-01Z' },
  ...{ _text: '{a}', _timestamptz: '{2026-01-01Z}' },
};

/** Returns the name of the type in which the driver returns values of a PostgreSQL type. */
async function typeFromDriver(postgresType: string): Promise<string> {
  const sample = SAMPLES[postgresType];
  assert.ok(sample, `SAMPLES has no value of type ${postgresType}.`);
  const { rows } = await sql<{ value: unknown }>`
    select ${sql.lit(sample)}::${sql.id(postgresType)} as value`.execute(db);
  return typeOf(rows[0]!.value);
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return `${typeOf(value[0])}[]`;
  if (value instanceof Date) return 'Date';
  return Buffer.isBuffer(value) ? 'Buffer' : typeof value;
}

/** Reads all columns from PostgreSQL's catalog. */
async function readColumns(): Promise<Columns> {
  const { rows } = await sql<{
    name: string;
    type: string;
    nullable: boolean;
    computed: boolean;
    has_default: boolean;
    values: string[] | null;
  }>`
    select relname || '.' || attname as name, typname as type, not attnotnull as nullable,
      attgenerated <> '' or attidentity = 'a' as computed, atthasdef or attidentity <> '' as has_default,
      (select array_agg(literal[1] order by literal[1])
        from pg_constraint, regexp_matches(pg_get_constraintdef(pg_constraint.oid), '''(\\w+)''::text', 'g') as literal
        where conrelid = attrelid and conkey = array[attnum]
          and pg_get_constraintdef(pg_constraint.oid) like 'CHECK ((' || attname || ' = ANY (ARRAY[%') as values
    from pg_attribute
      join pg_class on pg_class.oid = attrelid
      join pg_type on pg_type.oid = atttypid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely%'
      and attnum > 0 and not attisdropped`.execute(db);
  const types = new Map<string, string>();
  for (const { type } of rows) {
    if (!types.has(type)) types.set(type, await typeFromDriver(type));
  }
  return Object.fromEntries(
    rows.map(({ name, type, nullable, computed, has_default, values }) => [
      name,
      {
        type: types.get(type)!,
        isNullable: nullable,
        insert: computed ? 'never' : nullable || has_default ? 'optional' : 'required',
        values: values ?? undefined,
      } as const,
    ]),
  );
}

/** Columns without a default that a trigger sets. */
const SET_BY_TRIGGER = new Set(['donation.reference']);

function formatColumn(column: Column | undefined): string {
  if (!column) return 'missing';
  const { type, isNullable, insert, values } = column;
  return `${type}${isNullable ? ' | null' : ''}, insert: ${insert}${values ? `, one of ${values.join(', ')}` : ''}`;
}

test('the types of tables have the columns of the database, as the driver returns them', async () => {
  const types = readTableTypes();
  const columns = await readColumns();
  assert.deepEqual(columns['oauth_token.kind']?.values, ['access', 'code', 'refresh']);
  for (const name of SET_BY_TRIGGER) columns[name]!.insert = 'optional';
  const differences = [...new Set([...Object.keys(types), ...Object.keys(columns)])].flatMap(
    (name) => {
      const [typed, stored] = [types[name], columns[name]];
      // The values are compared if the type is a union of literals and a check constraint lists them.
      if (typed && stored && !(typed.values && stored.values))
        typed.values = stored.values = undefined;
      const [inType, inDatabase] = [formatColumn(typed), formatColumn(stored)];
      return inType === inDatabase ? [] : [`${name}: type ${inType}; database ${inDatabase}`];
    },
  );
  assert.deepEqual(differences, []);
});
