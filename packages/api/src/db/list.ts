import { MAX_LIMIT, type ListQuery } from '@connect-embed/contract';
import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import type { Seal } from '../seal.ts';
import { openCursor, readCursor, sealCursor, type PageOf, type Position } from './cursor.ts';
import type { Db } from './database.ts';
import { openGate, type Admitted } from '../auth/gate.ts';
import type { Prepare, ValueOf } from './prepared.ts';
import type { Database } from './schema.ts';

/** A list of the API, as its route declares it. */
export interface ListRules<Filters extends object> {
  table: keyof Database;
  /** The resource, each column as it is answered; `id` is among them. */
  select(db: Db): SelectQueryBuilder<Database, never, { id: string }>;
  /** Which field tells when the resource was made. */
  madeAt: 'created_at' | 'created';
  /** What each filter asks of a row. */
  filters?: { [Name in keyof Filters]: (value: RawBuilder<Filters[Name]>) => RawBuilder<boolean> };
}

/** Filters, of which any may be left out. */
type Given<Filters> = { [Name in keyof Filters]?: Filters[Name] | undefined };

/** What every page has to be told; filters come besides. */
interface PageValues {
  since: Date | string;
  after_time: Date | string;
  after_id: string;
  rows: number;
}

/** One list of the API. */
export interface ResourceList<Filters extends object> {
  /**
   * The text of the answer.
   *
   * @param ahead what `admit` has read for the same query
   * @throws {ConnectError} `invalid_request` naming `cursor`
   */
  (
    organizationId: string,
    query: ListQuery & Given<Filters>,
    ahead?: string | null,
  ): Promise<string>;
  /**
   * Finds who is asking, counts the request, and reads the page that they ask for, all in one
   * statement. The page is shown only after its reader and cursor have been checked.
   */
  admit(token: string, query: ListQuery & Given<Filters>): Promise<Admitted | undefined>;
}

/**
 * Reads pages of one list, newest first, as the text of their answer:
 * docs/decisions/0025-lists-as-text.md
 *
 * PostgreSQL writes the JSON of each row, and the statement is prepared once, so that a page costs
 * little more than reading it. With filters it is planned for their values: which index is the
 * short way depends on them.
 */
export function openList<Filters extends object = object>(
  { prepare, cursors }: { prepare: Prepare; cursors: Seal },
  rules: ListRules<Filters>,
): ResourceList<Filters> {
  const filters = openFilters(rules);
  const preparing =
    (given: string): Prepare =>
    (write) =>
      prepare(write, { keepPlan: given === '' });
  const statements = memoize((given: string) =>
    preparing(given)<{ page: string | null }, PageValues & { organization_id: string }>(
      (value, db) =>
        sql`select ${pageText(rules, filters.of(given), value('organization_id'), value, db)} as page`,
    ),
  );
  const gates = memoize((given: string) =>
    openGate<PageValues>(preparing(given), (value, db) =>
      pageText(rules, filters.of(given), sql.ref('credential.organization_id'), value, db),
    ),
  );
  const read = async (
    organizationId: string,
    query: ListQuery & Given<Filters>,
    ahead?: string | null,
  ): Promise<string> => {
    const { given, values } = filters.in(query);
    const page = { table: rules.table, organizationId, filters: values, query } as PageOf;
    const after = query.cursor ? await openCursor(cursors, page, query.cursor) : undefined;
    if (ahead === undefined) {
      const told = { organization_id: organizationId, ...valuesOf(query, after), ...values };
      ahead = (await statements(given)(told))[0]?.page ?? null;
    }
    return await envelope(cursors, page, rules, ahead);
  };
  const admit = async (token: string, query: ListQuery & Given<Filters>) => {
    const { given, values } = filters.in(query);
    const after = query.cursor ? await readCursor(cursors, query.cursor) : undefined;
    return await gates(given)(token, { ...valuesOf(query, after?.position), ...values });
  };
  return Object.assign(read, { admit });
}

/** Which filters a query brings: their names as one text, and their values. */
function openFilters<Filters extends object>({ filters = {} as never }: ListRules<Filters>) {
  const names = Object.keys(filters) as (keyof Filters & string)[];
  return {
    in: (query: Given<Filters>) => {
      const given = names.filter((name) => query[name] !== undefined);
      return {
        given: given.join(),
        values: Object.fromEntries(given.map((name) => [name, query[name]])),
      };
    },
    of: (given: string) => names.filter((name) => given.split(',').includes(name)),
  };
}

function memoize<Value>(make: (key: string) => Value): (key: string) => Value {
  const made = new Map<string, Value>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}

/** Between two rows. Within one, JSON as PostgreSQL writes it has no line break: texts escape theirs. */
const SEPARATOR = ',\n';

const valuesOf = (query: ListQuery, after: Position | undefined): PageValues => ({
  since: query.updated_since ? new Date(query.updated_since) : '-infinity',
  after_time: after ? new Date(after.createdAtMs) : 'infinity',
  after_id: after?.id ?? '',
  rows: query.limit + 1, // One more tells whether there is another page.
});

/**
 * The rows of a page as one text, with a character between that JSON has nowhere.
 *
 * The row value `(created_at, id) < (…)` lets PostgreSQL start inside the index; the same written
 * with OR reads everything before the page: 228 ms instead of 0.04 at a million rows.
 *
 * The inner limit is the largest there is: with one that it knows, PostgreSQL keeps the plan.
 */
function pageText<Filters extends object>(
  { table, select, filters }: ListRules<Filters>,
  given: readonly (keyof Filters & string)[],
  organizationId: RawBuilder<unknown>,
  value: ValueOf<PageValues>,
  db: Db,
): RawBuilder<string | null> {
  const [organization, time, id] = (['organization_id', 'created_at', 'id'] as const).map(
    (column) => sql.ref(`${table}.${column}`),
  );
  const valueOf = value as unknown as ValueOf<Filters>;
  const narrowed = given.reduce(
    (rows, name) => rows.where(filters![name](valueOf(name))),
    select(db)
      .where(sql<boolean>`${organization} = ${organizationId}`)
      .where(sql<boolean>`${time} >= ${value('since')}`)
      .where(sql<boolean>`(${time}, ${id}) < (${value('after_time')}, ${value('after_id')})`),
  );
  return sql<string | null>`(
    select string_agg(row_to_json(resource)::text, ${SEPARATOR})
    from (select * from (${narrowed
      .orderBy(sql`${time}`, 'desc')
      .orderBy(sql`${id}`, 'desc')
      .limit(sql.lit(MAX_LIMIT + 1))}) as page limit ${value('rows')}) as resource)`;
}

/** The envelope of a list (spec: Common envelopes) around rows that are JSON already. */
async function envelope(
  cursors: Seal,
  page: PageOf,
  { madeAt }: Pick<ListRules<object>, 'madeAt'>,
  text: string | null,
): Promise<string> {
  const rows = text ?? '';
  const end = endOf(rows, page.query.limit);
  if (end === undefined) return `{"data":[${rows}],"has_more":false,"next_cursor":null}`;
  const data = rows.slice(0, end);
  const last = JSON.parse(data.slice(data.lastIndexOf(SEPARATOR) + 1)) as Record<string, string>;
  const position = { createdAtMs: Date.parse(last[madeAt]!), id: last['id']! };
  const cursor = await sealCursor(cursors, page, position);
  return `{"data":[${data}],"has_more":true,"next_cursor":"${cursor}"}`;
}

/** Where the rows of a page end, when there is another one behind them. */
function endOf(rows: string, limit: number): number | undefined {
  let end = -1;
  for (let row = 0; row < limit; row += 1) {
    end = rows.indexOf(SEPARATOR, end + 1);
    if (end === -1) return undefined;
  }
  return end;
}
