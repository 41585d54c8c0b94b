/** What one room may import. */
export interface ImportRow {
  /** Rooms whose package may be imported, whole or for its types alone. */
  ours: Record<string, 'all' | 'types'>;
  /** Files of those rooms that may be imported whole although only types are given. */
  values?: string[];
  /** Packages from the registry. */
  others: string[];
  /** Packages of which types may be imported, and nothing that runs. */
  types?: string[];
  /** Packages that only the named files may import. */
  only?: Record<string, string[]>;
  /** Whether Node's own modules may be used; false keeps a room web-standard. */
  node: boolean;
  /** Files that may use Node's modules although the room may not. */
  nodeFiles?: string[];
  /** Packages that only the room's tests may import beside the above. */
  tests: string[];
}

/** Who may import whom, the one table: lint holds it and CONTRIBUTING.md prints it. */
export const IMPORT_TABLE: Record<string, ImportRow>;
