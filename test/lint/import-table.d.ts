/** Allowed imports of one package. */
export interface ImportRow {
  /** Workspace packages that may be imported, completely or types only. */
  workspacePackages: Record<string, 'all' | 'types'>;
  /** Files of those packages that may be imported completely although only types are allowed. */
  values?: string[];
  /** Development packages of which types may be imported. */
  types?: string[];
  /** npm packages that only the named files may import. */
  only?: Record<string, string[]>;
  /** Whether Node's own modules may be imported; false keeps a package web-standard. */
  node: boolean;
  /** Whether all of its code is for development, and may import development packages as tests may. */
  development?: boolean;
  /** Workspace packages that only tests of this package may import additionally. */
  tests?: string[];
}

/** Which package may import which; the only source for the lint rule and CONTRIBUTING.md. */
export const IMPORT_TABLE: Record<string, ImportRow>;
