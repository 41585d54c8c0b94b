import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { styleText } from 'node:util';
import {
  COMMANDS,
  DEFAULT_DATA_DIR,
  EMPTY_DATA_DIR,
  HAS_DOCS_SITE,
  ROOT,
  type LauncherConfig,
} from './config.ts';
import { serviceAddresses } from './service-plans.ts';

/** The environment variables of the launcher. */
export const VARIABLES = `  API_PORT       4000   Connect API
  SERVER_PORT    4100   server (BFF) that holds the API key and serves connect.js
  DEMO_PORT      4200   demo pages
  SANDBOX_PORT   4300   simulated card processor; any port may be 0 to use a free one
  HOST           127.0.0.1
  ALLOWED_ORIGINS       origins of your own pages that may embed, separated by commas
  ALLOWED_HOSTS         host names of the pages and the sandbox besides localhost
  DATA_DIR              folder of all data, ${DEFAULT_DATA_DIR} by default; \`${COMMANDS.reset}\` deletes it.
                        With --empty ${EMPTY_DATA_DIR}; \`${COMMANDS.resetEmpty}\` deletes it
  DATABASE_URL          your PostgreSQL instead of the embedded one; requires API_SECRET
  STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET
                        your Stripe account instead of the sandbox
  SMTP_URL, MAIL_FROM   a mail server for receipts instead of the mailbox page
  CONNECT_CONFIG        your forms instead of demo/connect.config.ts
  LOG_LEVEL      warn   info logs every request

While it runs, DATA_DIR/demo.json holds the addresses and an API key with every scope.`;

const STRIPE_KEYS =
  'Stripe keys for it: sk_test_own_garden and pk_test_own_garden; any last part is another account.';

export const HELP = `npm start: run all services on this machine. Ctrl-C stops them; the data is kept.
npm run dev: the same, and restart a service when its files change.
npm start -- --empty: without demo data, to try the setup.
  ${STRIPE_KEYS}
  Commands for it name its folder: DATA_DIR=.data-empty npm run connect -- setup-link

${VARIABLES}`;

/** The mailbox page shows the emails that are not sent without a mail server. */
const mailboxRow = (api: string): [string, string] => ['Mailbox', `${api}/dev/mailbox`];

const demoRows = (site: string): [string, string][] => [
  ['Nonprofit page', `${site}/`],
  ['Platform page', `${site}/platform/`],
];

/** The first visit builds the docs site, and shows a page that waits for it. */
const docsRow = (site: string): [string, string] => {
  const isBuilt = existsSync(join(ROOT, 'dist/docs/index.html'));
  return ['Documentation', `${site}/docs/${isBuilt ? '' : ' (the first visit builds it)'}`];
};

/**
 * The message that is printed once all services run.
 *
 * @param setupLink the link that the API has printed on an empty database
 */
export function summary(config: LauncherConfig, setupLink: string | undefined): string {
  const { site, server, api, sandbox } = serviceAddresses(config);
  const rows: [what: string, address: string][] = [
    ...(setupLink ? ([['Start here', setupLink]] as [string, string][]) : []),
    ...(config.isEmpty ? [] : demoRows(site)),
    ...(HAS_DOCS_SITE ? [docsRow(site)] : []),
    ['Server', server],
    ['Connect API', `${api}/api/v1`],
    ['Dashboard', `${api}/dashboard`],
    ...(config.usesStripe || config.variables['SMTP_URL'] ? [] : [mailboxRow(api)]),
    ...(config.usesStripe ? [] : ([['Sandbox', sandbox]] as [string, string][])),
  ];
  const width = Math.max(...rows.map(([label]) => label.length)) + 3;
  const table = rows.map(
    ([label, address]) => `  ${label.padEnd(width)}${styleText('cyan', address)}`,
  );
  const folder = relative(ROOT, config.dataDir).startsWith('..')
    ? config.dataDir
    : relative(ROOT, config.dataDir);
  const database = config.variables['DATABASE_URL'] ? ' and in the database at DATABASE_URL' : '';
  return [
    '',
    styleText('bold', '  Connect Embed is running.'),
    '',
    ...table,
    '',
    `  ${hint(config, setupLink !== undefined)}`,
    styleText(
      'dim',
      `  Data is kept in ${folder}${database}. Ctrl-C stops all services; this deletes the folder: ${resetCommand(config, folder)}`,
    ),
    '',
  ].join('\n');
}

/** Returns what to do first. */
function hint(config: LauncherConfig, canSetUp: boolean): string {
  if (config.isEmpty && !canSetUp) {
    return 'This database is set up already: sign in to the dashboard.';
  }
  if (config.usesStripe) return 'Donations go to your Stripe account.';
  return config.isEmpty
    ? `Set it up at the first address. ${STRIPE_KEYS}`
    : 'Give with card 4242 4242 4242 4242, any future date and any code. Cards are not charged.';
}

/** Returns the command that deletes the data folder of this start. */
function resetCommand({ isEmpty, variables }: LauncherConfig, folder: string): string {
  if (!variables['DATA_DIR']) return isEmpty ? COMMANDS.resetEmpty : COMMANDS.reset;
  const quoted = /^[\w./-]+$/.test(folder)
    ? folder
    : `'${folder.replaceAll("'", String.raw`'\''`)}'`;
  return `DATA_DIR=${quoted} ${COMMANDS.reset}`;
}
