import type { Resource } from './table-element.ts';

type Fields = Readonly<Record<string, unknown>>;
type Filters = Readonly<Record<string, string>>;

/** What each filter of the API asks of a row: docs/decisions/0045-donation-filters.md */
const FILTER_PREDICATES: Readonly<Record<string, (row: Fields, wanted: string) => boolean>> = {
  created_from: (row, wanted) => createdAt(row) >= Date.parse(wanted),
  updated_since: (row, wanted) => createdAt(row) >= Date.parse(wanted),
  amount_from_cents: (row, wanted) => Number(row['amount_cents']) >= Number(wanted),
  amount_to_cents: (row, wanted) => Number(row['amount_cents']) <= Number(wanted),
  // What a search finds only the API knows: `live-rows.ts` asks it.
  q: () => true,
  created_to: (row, wanted) => createdAt(row) < Date.parse(wanted),
};

/** When the resource was made; a payout calls it otherwise. */
const createdAt = (row: Fields) => Date.parse((row['created_at'] ?? row['created']) as string);

/** Whether the API would answer with this row. */
export const matchesFilters = (row: Resource, filters: Filters = {}): boolean =>
  Object.entries(filters).every(
    ([name, wanted]) =>
      FILTER_PREDICATES[name]?.(toFields(row), wanted) ?? `${toFields(row)[name]}` === wanted,
  );

/** As lists are ordered: the newest first, and of one moment the larger id (docs/decisions/0010-cursors.md). */
export function isBefore(one: Resource, other: Resource): boolean {
  const [first, second] = [createdAt(toFields(one)), createdAt(toFields(other))];
  return first === second ? one.id > other.id : first > second;
}

const toFields = (row: Resource) => row as unknown as Fields;

/**
 * Brings changes into the rows that are loaded.
 *
 * A row that is new comes where its time puts it, if that is among what is loaded. One that does not fit
 * any more goes, unless `held` says that somebody is just there.
 *
 * @returns the rows, and how many are new; the same rows when nothing of it concerns them
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

/** Two lists, both in order, as one. */
function mergeSorted<Row extends Resource>(added: readonly Row[], rows: readonly Row[]): Row[] {
  const merged: Row[] = [];
  let next = 0;
  for (const row of rows) {
    while (next < added.length && isBefore(added[next]!, row)) merged.push(added[next++]!);
    merged.push(row);
  }
  return [...merged, ...added.slice(next)];
}
