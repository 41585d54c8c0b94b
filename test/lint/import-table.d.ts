/** Allowed imports of one package. */
export interface ImportRow {
  /** Workspace packages that may be imported, completely or types only. */
  workspacePackages: Record<string, 'all' | 'types'>;
  /** Files of those packages that may be imported completely although only types are allowed. */
  values?: string[];
  /** Packages from the registry. */
  npmPackages: string[];
  /** Packages of which only types may be imported. */
  types?: string[];
  /** Packages that only the named files may import. */
  only?: Record<string, string[]>;
  /** Whether Node's own modules may be imported; false keeps a package web-standard. */
  node: boolean;
  /** Files that may import Node's modules although the package may not. */
  nodeFiles?: string[];
  /** Packages that only tests of this package may import additionally. */
  tests: string[];
}

/** Which package may import which; the only source for the lint rule and CONTRIBUTING.md. */
export const IMPORT_TABLE: Record<string, ImportRow>;
