import { formatDate, type Scope } from '@connect-embed/contract';
import { InvalidArgumentError, type Command } from 'commander';
import { createApiKey, parseScopes, revokeApiKey } from './auth/api-key.ts';
import type { Db } from './db/schema.ts';
import { migrate } from './db/migrate.ts';
import { DEMO_ORGANIZATION_ID, seedIfEmpty } from './db/seed.ts';
import { addAppCommands } from './commands/oauth.ts';
import { addPeopleCommands } from './commands/users.ts';
import { seedBulkDonations } from './db/seed/bulk.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addSecretCommands } from './commands/secret.ts';
import { addSetupCommand } from './commands/setup.ts';
import { addReconcileCommand } from './commands/reconcile.ts';
import { withDatabase } from './commands/with-database.ts';
import { acrossOrganizations } from './db/organization-scope.ts';
import { createOrganization, parseCurrency, parseSlug } from './users/organizations.ts';

interface CreateOptions {
  name: string;
  scopes: Scope[];
  organization?: string;
  json?: true;
}

/** Adds the commands that administer an installation: keys, people, organizations, checks and migrations. */
export function addAdministrationCommands(program: Command): void {
  addKeyCommands(program);
  addPeopleCommands(program);
  addAppCommands(program);
  addDoctorCommand(program);
  addSetupCommand(program);
  addReconcileCommand(program);
  addOrganizationCommands(program);
  program
    .command('migrate')
    .description('apply pending database migrations, as every start of the service does')
    .action(() => withDatabase(async () => console.log('All migrations are applied.'), migrate));
  addSecretCommands(program);
  addSeedCommand(program);
}

function addKeyCommands(program: Command) {
  const keys = program.command('keys').description('create, list and revoke API keys');

  keys
    .command('create')
    .description('create an API key and show it once')
    .requiredOption('--name <name>', 'name shown in the list of API keys', parseName)
    .requiredOption('--scopes <scopes>', 'comma separated, or all', withParseErrors(parseScopes))
    .option(
      '--organization <id>',
      'organization the key gives access to; required if there are several',
    )
    .option('--json', 'print { id, organization_id, key } as JSON')
    .action(({ name, scopes, organization, json }: CreateOptions) =>
      withDatabase(async (db) => {
        const organizationId = await chooseOrganization(db, organization);
        const { id, token } = await createApiKey(db, { organizationId, name, scopes });
        if (json)
          return console.log(JSON.stringify({ id, organization_id: organizationId, key: token }));
        console.log(
          `Created ${id} for ${organizationId}. This is the key. It will not be shown again:\n\n${token}`,
        );
      }),
    );

  keys
    .command('list')
    .description('list API keys, newest first, without their secrets')
    .option('--organization <id>', 'only keys of this organization')
    .action(({ organization }: { organization?: string }) =>
      withDatabase(async (db) => {
        let query = acrossOrganizations(db)
          .selectFrom('api_key')
          .innerJoin('organization', 'organization.id', 'api_key.organization_id')
          .selectAll('api_key')
          .select('organization.time_zone')
          .orderBy('api_key.created_at', 'desc');
        if (organization) query = query.where('api_key.organization_id', '=', organization);
        const rows = await query.execute();
        if (rows.length === 0) return console.log('No API keys yet.');
        for (const row of rows) {
          const { time_zone: timeZone } = row;
          const formatDateTime = (at: Date) =>
            formatDate(at, 'exact', { timeZone, locale: 'en-US' });
          const state = row.revoked_at ? `revoked ${formatDateTime(row.revoked_at)}` : 'valid';
          const created = formatDateTime(row.created_at);
          console.log(
            [row.id, row.organization_id, created, state, row.name, row.scopes].join('\t'),
          );
        }
      }),
    );

  keys
    .command('revoke')
    .description('revoke an API key and the sessions created with it, effective immediately')
    .argument('<id>', 'API key ID (key_…)')
    .action((id: string) =>
      withDatabase(async (db) => {
        if (!(await revokeApiKey(db, id))) throw new Error(`No valid API key has the ID ${id}.`);
        console.log(`Revoked ${id}.`);
      }),
    );
}

interface CreateOrganizationOptions {
  name: string;
  slug: string;
  currency: string;
  account?: string;
  json?: true;
}

function addOrganizationCommands(program: Command) {
  const organizations = program
    .command('organizations')
    .description('create and list organizations');

  organizations
    .command('create')
    .description('create an organization; its donations are paid to its own Stripe account')
    .requiredOption('--name <name>', 'name shown to donors', parseName)
    .requiredOption(
      '--slug <slug>',
      'used in URLs: lowercase letters, digits, hyphens',
      withParseErrors(parseSlug),
    )
    .option(
      '--account <id>',
      'Stripe account (acct_…); otherwise opened from the dashboard',
      parseName,
    )
    .option(
      '--currency <code>',
      'currency of its donations, such as usd',
      withParseErrors(parseCurrency),
      'usd',
    )
    .option('--json', 'print { id, slug } as JSON')
    .action(({ json, ...options }: CreateOrganizationOptions) =>
      withDatabase(async (db) => {
        const id = await createOrganization(db, options);
        if (json) return console.log(JSON.stringify({ id, slug: options.slug }));
        console.log(
          `Created ${id}. Create its first API key: connect-embed keys create --organization ${id} …`,
        );
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
        if (rows.length === 0) return console.log('No organizations yet.');
        for (const row of rows) {
          console.log(
            [row.id, row.slug, row.currency, row.processor_account_id, row.name].join('\t'),
          );
        }
      }),
    );
}

function addSeedCommand(program: Command) {
  program
    .command('seed')
    .description('add demo data to a database without organizations')
    .option(
      '--donations <count>',
      'also add this many generated donations, to test large lists',
      parseCount,
    )
    .option('--organization <id>', 'organization of the donations; required if there are several')
    .action(({ donations, organization }: { donations?: number; organization?: string }) =>
      withDatabase(async (db) => {
        const seeded = await seedIfEmpty(db);
        if (!donations) {
          return console.log(
            seeded ? 'Seeded.' : 'The database already has data. Nothing was changed.',
          );
        }
        const organizationId = await chooseOrganization(db, organization);
        const startedMs = performance.now();
        const onProgress = (written: number) => {
          const seconds = Math.round((performance.now() - startedMs) / 1000);
          console.error(`${written} of ${donations} donations, ${seconds} s`);
        };
        await seedBulkDonations(db, { organizationId, count: donations, onProgress });
        console.log(`Added ${donations} donations to ${organizationId}.`);
      }),
    );
}

/**
 * Returns the id of the requested organization. Without a request it is the only organization, or the
 * organization of the demonstration data.
 *
 * @throws {Error} if the database has no such organization
 */
async function chooseOrganization(db: Db, requestedId: string | undefined): Promise<string> {
  const rows = await db.selectFrom('organization').select('id').orderBy('id').execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) throw new Error('No organizations yet. Run: connect-embed seed');
  const organizationId = requestedId ?? (ids.length === 1 ? ids[0] : DEMO_ORGANIZATION_ID);
  if (organizationId && ids.includes(organizationId)) return organizationId;
  const problem = requestedId
    ? `No organization has the ID ${requestedId}.`
    : 'Choose an organization with --organization.';
  throw new Error(`${problem} Organizations: ${ids.join(', ')}.`);
}

function parseCount(text: string): number {
  if (/^[1-9]\d{0,7}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1 to 99999999.');
}

function parseName(text: string): string {
  const name = text.trim();
  if (!name || name.length > 100)
    throw new InvalidArgumentError('It must have 1 to 100 characters.');
  return name;
}

/** Wraps a parser of an option so that commander prints the message of an error that it throws. */
function withParseErrors<Value>(parse: (text: string) => Value): (text: string) => Value {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      throw new InvalidArgumentError((error as Error).message);
    }
  };
}
