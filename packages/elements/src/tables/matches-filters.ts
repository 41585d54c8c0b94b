import type { ProcessingPayment } from '@connect-embed/contract';
import type { Resource } from './column.ts';

type Fields = Readonly<Record<string, unknown>>;
type Filters = Readonly<Record<string, string>>;

/**
 * The API's list filters as predicates (docs/decisions/0045-filters-search-and-sums.md). Other
 * filters compare the field of the same name.
 */
const FILTER_PREDICATES: Readonly<Record<string, (row: Fields, value: string) => boolean>> = {
  created_from: (row, value) => createdAt(row) >= Date.parse(value),
  updated_since: (row, value) => createdAt(row) >= Date.parse(value),
  amount_from_cents: (row, value) => Number(row['amount_cents']) >= Number(value),
  amount_to_cents: (row, value) => Number(row['amount_cents']) <= Number(value),
  arrival_from: (row, value) => Date.parse(row['arrival_date'] as string) >= Date.parse(value),
  arrival_to: (row, value) => Date.parse(row['arrival_date'] as string) < Date.parse(value),
  created_to: (row, value) => createdAt(row) < Date.parse(value),
};

/** Creation time of a resource; payouts name the field `created`. */
const createdAt = (row: Fields) => Date.parse((row['created_at'] ?? row['created']) as string);

/** Whether the API would include this row in a filtered list. Filters that only the API can apply count as met. */
export const matchesFilters = (row: Resource | ProcessingPayment, filters: Filters = {}): boolean =>
  Object.entries(filters).every(
    ([name, value]) =>
      !canApply(name, row) ||
      (FILTER_PREDICATES[name]?.(toFields(row), value) ?? `${toFields(row)[name]}` === value),
  );

/** Whether a filter compares fields of the row. Only the API can search, or filter donors by their donations. */
export const canApply = (name: string, row: Resource | ProcessingPayment): boolean =>
  name in FILTER_PREDICATES || name in row;

/**
 * Compares rows in the API's list order: newest first, then by id in descending order
 * (docs/decisions/0010-lists.md).
 */
function isBefore(one: Resource, other: Resource): boolean {
  const [first, second] = [createdAt(toFields(one)), createdAt(toFields(other))];
  return first === second ? one.id > other.id : first > second;
}

const toFields = (row: Resource | ProcessingPayment) => row as unknown as Fields;

/**
 * Merges changed resources into the loaded rows.
 *
 * A new row is inserted at the position of its creation time, if that is within the loaded range. A row
 * that no longer matches the filters is removed, unless it contains the focus (`focusedId`).
 *
 * @returns the merged rows and the added ones; the same `rows` array when nothing has changed
 */
export function mergeChanges<Row extends Resource>(
  rows: Row[],
  changes: ReadonlyMap<string, Row>,
  {
    filters,
    hasMore,
    focusedId,
  }: { filters?: Filters | undefined; hasMore: boolean; focusedId?: string | undefined },
): { rows: Row[]; added: Row[] } {
  const known = new Set<string>();
  const last = rows.at(-1);
  let hasChanges = false;
  const remaining = rows.flatMap((row) => {
    const latest = changes.get(row.id);
    if (!latest) return [row];
    hasChanges = true;
    known.add(row.id);
    return matchesFilters(latest, filters) || row.id === focusedId ? [latest] : [];
  });
  const added = [...changes.values()].filter(
    (row) =>
      !known.has(row.id) &&
      matchesFilters(row, filters) &&
      (!hasMore || (last !== undefined && isBefore(row, last))),
  );
  if (!hasChanges && added.length === 0) return { rows, added };
  added.sort((one, other) => (isBefore(one, other) ? -1 : 1));
  return { rows: mergeSorted(added, remaining), added };
}

/** Merges two lists that are in list order. */
function mergeSorted<Row extends Resource>(added: readonly Row[], rows: readonly Row[]): Row[] {
  const merged: Row[] = [];
  let next = 0;
  for (const row of rows) {
    while (next < added.length && isBefore(added[next]!, row)) merged.push(added[next++]!);
    merged.push(row);
  }
  return [...merged, ...added.slice(next)];
}
