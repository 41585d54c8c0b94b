/** Filters of lists and their SQL conditions. */

/** Stripe's pagination parameters. */
export type ListPage = {
  limit: number;
  starting_after?: string | undefined;
};

/** Bounds in seconds since 1970. */
export type Range = { gte?: number | undefined; lte?: number | undefined };

/** Required value of a field. An array matches a field that has any of its values. */
type Value = string | number | boolean | null | undefined | readonly string[];

export type ListFilters = {
  /** Fields of the object, by name or JSON path, and their required values. */
  fields?: Record<string, Value>;
  /** Fields of the object's hidden data, and their required values. */
  hidden?: Record<string, Value>;
  created?: Range | undefined;
  /** Bounds of other time fields, such as `available_on`. */
  ranges?: Record<string, Range>;
};

const COMPARE = { gte: '>=', lte: '<=' } as const;

/**
 * Field names come from our own tables, never from a request; values are always bound parameters.
 */
export function toWhereClause({ fields, hidden, created, ranges }: ListFilters) {
  const where: string[] = [];
  const values: (string | number)[] = [];
  const addEquals = (column: string, name: string, value: Value) => {
    if (value === undefined) return;
    if (typeof value === 'object' && value !== null) {
      where.push(`${column} ->> '${name}' in (select value from json_each(?))`);
      return void values.push(JSON.stringify(value));
    }
    where.push(`${column} ->> '${name}' ${value === null ? 'is null' : '= ?'}`);
    if (value !== null) values.push(typeof value === 'boolean' ? Number(value) : value);
  };
  const addRange = (column: string, range: Range = {}) => {
    for (const [name, operator] of Object.entries(COMPARE)) {
      const bound = range[name as keyof typeof COMPARE];
      if (bound === undefined) continue;
      where.push(`${column} ${operator} ?`);
      values.push(bound);
    }
  };
  for (const [name, value] of Object.entries(fields ?? {})) addEquals('body', name, value);
  for (const [name, value] of Object.entries(hidden ?? {})) addEquals('hidden', name, value);
  addRange('created', created);
  for (const [name, range] of Object.entries(ranges ?? {})) addRange(`body ->> '${name}'`, range);
  return { where: where.map((each) => ` and ${each}`).join(''), values };
}
