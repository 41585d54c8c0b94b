import { relative } from 'node:path';
import { styleText } from 'node:util';
import { ROOT, type LauncherConfig } from './config.ts';
import { serviceAddresses } from './service-plans.ts';

export const HELP = `npm start: the whole house on this machine. Ctrl-C stops it; the data stays.
npm run dev: the same, and a room whose files change is started again.

  API_PORT       4000   the Connect API
  SERVER_PORT    4100   the server that holds the credential and serves connect.js
  DEMO_PORT      4200   the pages to open
  SANDBOX_PORT   4300   stands in for the card processor; 0 takes any free port, here as above
  HOST           127.0.0.1
  ALLOWED_HOSTS         names other than localhost that pages and sandbox are opened by
  DATA_DIR       .data  everything that lasts; \`npm run reset\` removes it
  DATABASE_URL          a PostgreSQL of your own in place of the embedded one; needs API_SECRET
  STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET
                        your Stripe account in place of the sandbox
  SMTP_URL, MAIL_FROM   a mail server for receipts in place of the mailbox page
  CONNECT_CONFIG        forms of your own in place of demo/connect.config.ts
  LOG_LEVEL      warn   info shows every request

Addresses and a key with every scope are in DATA_DIR/demo.json while it runs.`;

/** The mailbox page shows the emails that are not sent without a mail server. */
const mailboxRow = (api: string): [string, string] => ['Mailbox', `${api}/dev/mailbox`];

/** The message that is printed once all services run. */
export function summary(config: LauncherConfig): string {
  const { site, server, api, sandbox } = serviceAddresses(config);
  const rows: [what: string, address: string][] = [
    ["The nonprofit's page", `${site}/`],
    ["The platform's page", `${site}/platform/`],
    ['Server', server],
    ['Connect API', `${api}/api/v1`],
    ['Dashboard', `${api}/dashboard`],
    ...(config.stripe || config.variables['SMTP_URL'] ? [] : [mailboxRow(api)]),
    ...(config.stripe ? [] : ([['Sandbox processor', sandbox]] as [string, string][])),
  ];
  const width = Math.max(...rows.map(([what]) => what.length)) + 3;
  const table = rows.map(
    ([what, address]) => `  ${what.padEnd(width)}${styleText('cyan', address)}`,
  );
  const card = config.stripe
    ? 'Donations go to your Stripe account.'
    : 'Give with card 4242 4242 4242 4242, any date to come and any code. No money moves.';
  const data = relative(ROOT, config.dataDir).startsWith('..')
    ? config.dataDir
    : relative(ROOT, config.dataDir);
  return [
    '',
    styleText('bold', '  Connect Embed is running.'),
    '',
    ...table,
    '',
    `  ${card}`,
    styleText('dim', `  Data is kept in ${data}. Ctrl-C stops; npm run reset starts fresh.`),
    '',
  ].join('\n');
}
