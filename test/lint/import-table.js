/**
 * Which package may import which; the only source for the lint rule and CONTRIBUTING.md. Packages of npm are
 * those of its `package.json`. The columns are documented in `import-table.d.ts`.
 */
export const IMPORT_TABLE = {
  'packages/contract': {
    workspacePackages: {},
    node: false,
    only: {
      tldts: ['src/site-origin.ts'],
      hono: ['src/hono.ts', 'src/hono.test.ts'],
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
    values: ['error', 'transport'],
    node: false,
    tests: ['@connect-embed/api'],
  },
  'packages/react': {
    workspacePackages: { elements: 'all' },
    node: false,
  },
  'packages/api': {
    workspacePackages: { contract: 'all', locales: 'all' },
    node: true,
    tests: ['@connect-embed/sandbox'],
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
    types: ['stripe'],
    node: true,
  },
  server: {
    workspacePackages: { contract: 'all', locales: 'all' },
    node: true,
    tests: ['@connect-embed/api'],
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
