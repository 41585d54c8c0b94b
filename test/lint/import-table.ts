/** Allowed imports of one package. */
export interface ImportRow {
  /** Workspace packages that may be imported, completely or types only. */
  workspacePackages: Record<string, 'all' | 'types'>;
  /** Files of the contract that may be imported completely although only its types are allowed: they do not need zod. */
  values?: string[];
  /** npm packages that only the named files may import. */
  only?: Record<string, string[]>;
  /** Whether Node's own modules may be imported; false keeps a package web-standard. */
  node: boolean;
  /** Whether all of its code is for development, and may import development packages. */
  development?: boolean;
}

/**
 * Which package may import which; the only source for the lint rules and CONTRIBUTING.md. Packages of npm are
 * those of its `package.json`.
 */
export const IMPORT_TABLE: Record<string, ImportRow> = {
  'packages/contract': {
    workspacePackages: {},
    node: false,
    only: {
      tldts: ['src/site-origin.ts'],
      hono: ['src/hono.ts'],
      'altcha-lib': ['src/proof-of-work.ts', 'src/solve-proof.ts'],
      '@noble/hashes': ['src/hmac.ts'],
    },
  },
  'packages/locales': {
    workspacePackages: { contract: 'types' },
    values: ['format-plural', 'interpolate'],
    node: false,
  },
  'packages/elements': {
    workspacePackages: { contract: 'types', locales: 'all' },
    values: [
      'client',
      'currency',
      'default-form',
      'email-address',
      'error',
      'fee-cover',
      'format-money',
      'format-plural',
      'interpolate',
      'money',
      'balance-transaction-kind',
      'payment-method',
      'scope',
      'apply-donation-terms',
      'visible-text',
      'zoned-time',
    ],
    node: false,
    only: { 'eventsource-parser': ['src/tables/event-stream.ts'] },
  },
  'packages/client': {
    workspacePackages: { contract: 'types' },
    values: ['error', 'error-status', 'transport'],
    node: false,
  },
  'packages/react': {
    workspacePackages: { elements: 'all' },
    node: false,
  },
  'packages/api': {
    workspacePackages: { contract: 'all', locales: 'all' },
    node: true,
  },
  'packages/dashboard': {
    workspacePackages: { api: 'all', contract: 'all', locales: 'all' },
    node: true,
  },
  'packages/donor-pages': {
    workspacePackages: { api: 'all', contract: 'all', locales: 'all', server: 'all' },
    node: true,
  },
  'packages/cli': {
    workspacePackages: {
      api: 'all',
      client: 'all',
      contract: 'all',
      dashboard: 'all',
      demo: 'all',
      'donor-pages': 'all',
      server: 'all',
    },
    node: true,
  },
  'packages/sandbox': {
    workspacePackages: { contract: 'types' },
    values: ['local-host'],
    node: true,
  },
  server: {
    workspacePackages: { contract: 'all', locales: 'all' },
    node: true,
  },
  demo: {
    // `many-organizations` is a sample application with the packages that a platform installs.
    workspacePackages: { client: 'all', contract: 'types', server: 'all' },
    values: ['local-host'],
    node: true,
  },
  'packages/workshop': {
    workspacePackages: { contract: 'types', elements: 'all' },
    node: true,
    development: true,
  },
  'packages/site': {
    workspacePackages: { api: 'all', elements: 'all', locales: 'all', workshop: 'all' },
    node: true,
    development: true,
  },
  test: {
    // The e2e tests use the demo's forms with higher limits; donors of the peak-load test, the form's requests; the
    // simulation, the code of the API.
    workspacePackages: { api: 'all', contract: 'all', demo: 'all', elements: 'all' },
    node: true,
    development: true,
  },
};
