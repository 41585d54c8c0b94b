/**
 * The modules of a package and what they contain, from the lowest layer to the highest. A module is a
 * folder or a file in the root of the package's sources. It may import itself and the modules before
 * it, which `.dependency-cruiser.js` enforces.
 */
export const MODULE_LAYERS: Record<string, Record<string, string>> = {
  'packages/api/src': {
    lib: 'ids, donation references, encryption, logging and other helpers',
    'config.ts': 'the settings from environment variables',
    db: 'connections, schema, migrations, demo data, and the embedded PostgreSQL',
    http: 'parts that all routes share: errors, CORS, security headers, idempotency, metrics, health',
    'field-masking': 'personal data that component sessions hide',
    mail: 'emails to donors and owners: queue, contents and worker',
    webhooks: 'webhook endpoints, signatures and deliveries',
    users: 'people, passwords, two-step sign-in, teams and organizations',
    oauth: 'the OAuth authorization server and connected apps',
    auth: 'API keys, sessions, scopes and the rate limit of credentials',
    payments:
      'everything that changes donations: Stripe and its events, refunds, payouts, subscriptions, reconciliation, records of donors, card-testing protection',
    resources: 'the endpoints under `/api/v1`: routes, queries and filters of each resource',
    setup: 'the first owner and organization of an empty installation',
    live: 'live updates of tables as server-sent events',
    'deps.ts': 'the dependencies of all routes',
    openapi: 'the OpenAPI document and the API reference',
    doctor: 'checks of an installation',
    'app.ts': 'all routes',
    process: 'dependencies, roles and background jobs of a process',
    commands: 'groups of these commands',
    'cli.ts': 'the commands that administer an installation',
  },
};
