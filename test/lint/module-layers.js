import { relative, resolve, dirname, sep } from 'node:path';

/**
 * The modules of a package and what they contain, from the lowest layer to the highest. A module is a
 * folder or a file in the root of the package's sources. It may import itself and the modules before
 * it.
 */
export const MODULE_LAYERS = {
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

/** Tests may import any module. */
const TEST_FILE = /\.test\.ts$|(^|\/)test-support\//;

/**
 * An ESLint rule that rejects imports from a lower layer to a higher one, and files outside of the
 * modules of their package.
 *
 * @param {Record<string, Record<string, string>>} layers modules by source folder, lowest first
 * @param {string} root folder of the repository
 */
export const layersRule = (layers, root) => ({
  meta: { type: 'problem', schema: [], messages: { forbidden: '{{problem}}' } },
  create(context) {
    const file = relative(root, context.filename).split(sep).join('/');
    const folder = Object.keys(layers).find((name) => file.startsWith(`${name}/`));
    if (!folder || TEST_FILE.test(file)) return {};
    const order = Object.keys(layers[folder]);
    const moduleOf = (path) => path.slice(folder.length + 1).split('/')[0];
    const from = moduleOf(file);
    const report = (node, problem) =>
      context.report({ node, messageId: 'forbidden', data: { problem } });
    const check = (node, source) => {
      if (typeof source?.value !== 'string' || !source.value.startsWith('.')) return;
      const path = relative(root, resolve(root, dirname(file), source.value))
        .split(sep)
        .join('/');
      if (!path.startsWith(`${folder}/`)) return;
      const to = moduleOf(path);
      if (order.indexOf(to) <= order.indexOf(from)) return;
      report(
        node,
        `${from} is in a lower layer than ${to} and may not import it: see test/lint/module-layers.js.`,
      );
    };
    return {
      Program(node) {
        if (order.includes(from)) return;
        report(node, `${from} is not a module of ${folder}: see test/lint/module-layers.js.`);
      },
      ImportDeclaration: (node) => check(node, node.source),
      ExportNamedDeclaration: (node) => check(node, node.source),
      ExportAllDeclaration: (node) => check(node, node.source),
      ImportExpression: (node) => check(node, node.source),
      TSImportType: (node) => check(node, node.source ?? node.argument?.literal),
    };
  },
});
