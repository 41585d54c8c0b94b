import { formatDate, type Scope } from '@connect-embed/contract';
import { Command, InvalidArgumentError } from 'commander';
import pino from 'pino';
import { createApiKey, parseScopes, revokeApiKey } from './auth/api-key.ts';
import { readConfig } from './config.ts';
import { migrate, openDatabase, type Db, type OpenDatabase } from './db/database.ts';
import { connectOrStartPostgres } from './db/postgres.ts';
import { DEMO_ORGANIZATION_ID, seedIfEmpty } from './db/seed.ts';
import { addAppCommands } from './oauth/commands.ts';
import { addPeopleCommands } from './users/commands.ts';
import { hasSameSecret, replaceSecret } from './db/installation.ts';
import { seedBulkDonations } from './db/seed/bulk.ts';
import { createDeps } from './deps.ts';
import { addDoctorCommand } from './doctor/commands.ts';
import { formatError } from './format-error.ts';
import { addReconcileCommand } from './money/reconcile/commands.ts';
import { createOrganization, parseCurrency, parseSlug } from './organizations.ts';
import { progressBar } from './progress-bar.ts';

const program = new Command('connect')
  .description('Administers the Connect API. Works while the service runs, and while it does not.')
  .showHelpAfterError('(--help tells more)');

interface CreateOptions {
  name: string;
  scopes: Scope[];
  organization?: string;
  json?: true;
}

const keys = program.command('keys').description('create, list and revoke API keys');

keys
  .command('create')
  .description('make an API key; it is shown this once')
  .requiredOption('--name <name>', 'what it is for, as people will read it in a list', parseName)
  .requiredOption('--scopes <scopes>', 'comma separated, or all', withParseErrors(parseScopes))
  .option('--organization <id>', 'whose data it opens; needed where there are several')
  .option('--json', 'print { id, organization_id, key } for programs')
  .action(({ name, scopes, organization, json }: CreateOptions) =>
    withDatabase(async (db) => {
      const organizationId = await chooseOrganization(db, organization);
      const { id, token } = await createApiKey(db, { organizationId, name, scopes });
      if (json) return print(JSON.stringify({ id, organization_id: organizationId, key: token }));
      print(`${id} for ${organizationId}. This is the key; it is not shown again:\n\n${token}`);
    }),
  );

keys
  .command('list')
  .description('list API keys, newest first; the keys themselves are not kept')
  .option('--organization <id>', 'only of this one')
  .action(({ organization }: { organization?: string }) =>
    withDatabase(async (db) => {
      let query = db
        .selectFrom('api_key')
        .innerJoin('organization', 'organization.id', 'api_key.organization_id')
        .selectAll('api_key')
        .select('organization.time_zone')
        .orderBy('api_key.created_at', 'desc');
      if (organization) query = query.where('api_key.organization_id', '=', organization);
      const rows = await query.execute();
      if (rows.length === 0) return print('There are no API keys.');
      for (const row of rows) {
        const { time_zone: timeZone } = row;
        const exact = (at: Date) => formatDate(at, 'exact', { timeZone, locale: 'en-US' });
        const state = row.revoked_at ? `revoked ${exact(row.revoked_at)}` : 'valid';
        const created = exact(row.created_at);
        print([row.id, row.organization_id, created, state, row.name, row.scopes].join('\t'));
      }
    }),
  );

keys
  .command('revoke')
  .description('end an API key, and the sessions made with it, from the next request on')
  .argument('<id>', 'key_…, as listed')
  .action((id: string) =>
    withDatabase(async (db) => {
      if (!(await revokeApiKey(db, id))) throw new Error(`There is no valid key ${id}.`);
      print(`${id} is revoked.`);
    }),
  );

addPeopleCommands(program, withDatabase);
addAppCommands(program, withDatabase);
addDoctorCommand(program);
addReconcileCommand(program, (action) =>
  withDatabase((_db, database) =>
    action(createDeps(readConfig(), database, pino({ level: 'silent' }))),
  ),
);

const organizations = program
  .command('organizations')
  .description('create and list the organizations whose donations this service takes');

interface CreateOrganizationOptions {
  name: string;
  slug: string;
  currency: string;
  account?: string;
  json?: true;
}

organizations
  .command('create')
  .description('make an organization; its donations settle in its own account at the processor')
  .requiredOption('--name <name>', 'as donors read it', parseName)
  .requiredOption(
    '--slug <slug>',
    'in addresses: small letters, digits, hyphens',
    withParseErrors(parseSlug),
  )
  .option('--account <id>', 'at the processor, acct_…; else opened from the dashboard', parseName)
  .option(
    '--currency <code>',
    'of its donations, such as usd',
    withParseErrors(parseCurrency),
    'usd',
  )
  .option('--json', 'print { id, slug } for programs')
  .action(({ json, ...options }: CreateOrganizationOptions) =>
    withDatabase(async (db) => {
      const id = await createOrganization(db, options);
      if (json) return print(JSON.stringify({ id, slug: options.slug }));
      print(`${id} is made. Its first key: connect keys create --organization ${id} …`);
    }),
  );

organizations
  .command('list')
  .description('list organizations, oldest first')
  .action(() =>
    withDatabase(async (db) => {
      const rows = await db
        .selectFrom('organization')
        .selectAll()
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      if (rows.length === 0) return print('There are no organizations.');
      for (const row of rows) {
        print([row.id, row.slug, row.currency, row.processor_account_id, row.name].join('\t'));
      }
    }),
  );

program
  .command('migrate')
  .description('bring the tables up to date; every start of the service does it too')
  .action(() => withDatabase(async () => print('The tables are up to date.')));

program
  .command('secret')
  .description('look after API_SECRET')
  .command('replace')
  .description('make the database accept the present API_SECRET when the one before is lost')
  .option('--yes', 'do it; without this, only what ends with it is printed')
  .action(({ yes }: { yes?: true }) =>
    withDatabase(async (db) => {
      const secret = readConfig().secret();
      if (await hasSameSecret(db, secret)) return print('API_SECRET is the one of this database.');
      if (!yes) return print(`${REPLACED_SECRET}\nTo go on, add --yes.`);
      await replaceSecret(db, secret);
      print('The database accepts the present API_SECRET. Restart every process.');
    }),
  );

program
  .command('seed')
  .description('fill a database that has no organization with demonstration data')
  .option(
    '--donations <count>',
    'add so many invented ones, to see how large lists behave',
    parseCount,
  )
  .option('--organization <id>', 'whose they are; needed where there are several')
  .action(({ donations, organization }: { donations?: number; organization?: string }) =>
    withDatabase(async (db) => {
      const seeded = await seedIfEmpty(db);
      if (!donations) {
        return print(seeded ? 'Seeded.' : 'There is data already; nothing was changed.');
      }
      const organizationId = await chooseOrganization(db, organization);
      const onProgress = progressBar(donations, 'donations');
      await seedBulkDonations(db, { organizationId, count: donations, onProgress });
      print(`${organizationId} has ${donations} donations more.`);
    }),
  );

await program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${formatError(error)}\n`);
  process.exitCode = 1;
});

/**
 * Runs an action on the service's database after migrating it. An embedded server that was not running
 * is stopped afterwards.
 */
async function withDatabase(
  action: (db: Db, database: OpenDatabase) => Promise<void>,
): Promise<void> {
  const postgres = await connectOrStartPostgres(readConfig());
  const database = openDatabase(postgres.url, { limitStatements: false });
  try {
    await migrate(database.db);
    await action(database.db, database);
  } finally {
    await database.close();
    await postgres.stop();
  }
}

const REPLACED_SECRET = `Replacing API_SECRET ends every sign-in, every list cursor and every link in e-mails that were sent.
Webhook signing secrets cannot be decrypted any more: rotate the secret of every webhook endpoint.
Two-step sign-in is turned off for everybody, and has to be set up again.`;

/** Chooses the requested organization, else the only one, else the one of the demonstration data. */
async function chooseOrganization(db: Db, requestedId: string | undefined): Promise<string> {
  const rows = await db.selectFrom('organization').select('id').orderBy('id').execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) throw new Error('There is no organization yet. Try: connect seed');
  const chosen = requestedId ?? (ids.length === 1 ? ids[0] : DEMO_ORGANIZATION_ID);
  if (chosen && ids.includes(chosen)) return chosen;
  const problem = requestedId
    ? `There is no organization ${requestedId}.`
    : 'Name one with --organization.';
  throw new Error(`${problem} There are ${ids.join(', ')}.`);
}

function parseCount(text: string): number {
  if (/^[1-9]\d{0,7}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Needs a whole number up to 99999999.');
}

function parseName(text: string): string {
  const name = text.trim();
  if (!name || name.length > 100) throw new InvalidArgumentError('Needs 1 to 100 characters.');
  return name;
}

/** Makes commander print the message of an error that the parser throws. */
function withParseErrors<Value>(parse: (text: string) => Value): (text: string) => Value {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      throw new InvalidArgumentError((error as Error).message);
    }
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
