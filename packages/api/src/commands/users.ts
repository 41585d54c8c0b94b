import { emailKey } from '@connect-embed/contract/email-address';
import { randomBytes } from 'node:crypto';
import { Option, type Command } from 'commander';
import { parseScopes } from '../auth/api-key.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/schema.ts';
import { readCommandConfig } from '../process/last-address.ts';
import { resetLink } from '../users/links.ts';
import { endMembership, setMembership } from '../users/membership.ts';
import { ROLES, type Role } from '../users/roles.ts';
import { withDatabase } from './with-database.ts';

/**
 * Adds the CLI commands `connect-embed people create | reset-password | list | reset-two-step | join
 * | leave`.
 */
export function addPeopleCommands(program: Command): void {
  const people = program.command('people').description('manage people and their roles');
  addAccountCommands(people);
  addMembershipCommands(people);
}

function addAccountCommands(people: Command): void {
  people
    .command('create')
    .description('add a person and show their first password once')
    .requiredOption('--email <address>', 'email address to sign in with')
    .requiredOption('--name <name>', 'name shown to other members')
    .action((options: CreateOptions) => withDatabase((db) => createPerson(db, options)));

  people
    .command('reset-password')
    .description('create a link to choose a new password; it works once, for an hour')
    .argument('<email>')
    .action((email: string) => withDatabase((db) => printResetLink(db, email)));

  people
    .command('reset-two-step')
    .description('turn two-step sign-in off for a person who lost their phone and backup codes')
    .argument('<email>')
    .action((email: string) => withDatabase((db) => resetTwoStep(db, email)));

  people
    .command('list')
    .description('list people and their organizations')
    .action(() => withDatabase(listPeople));
}

function addMembershipCommands(people: Command): void {
  people
    .command('join')
    .description('add a person to an organization, or change their role')
    .argument('<email>')
    .requiredOption('--organization <id>')
    .addOption(new Option('--role <role>').choices(ROLES).makeOptionMandatory())
    .option('--permissions <scopes>', 'permissions of an admin: comma separated, or all', 'all')
    .action((email: string, options: JoinOptions) =>
      withDatabase((db) => joinOrganization(db, email, options)),
    );

  people
    .command('leave')
    .description('remove a person from an organization and end the app access they approved')
    .argument('<email>')
    .requiredOption('--organization <id>')
    .action((email: string, { organization }: { organization: string }) =>
      withDatabase((db) => leaveOrganization(db, email, organization)),
    );
}

interface CreateOptions {
  email: string;
  name: string;
}

async function createPerson(db: Db, { email, name }: CreateOptions): Promise<void> {
  const password = randomBytes(12).toString('base64url');
  const people = await loadPeople(readCommandConfig(), db);
  const id = await people.create({ email, name, password });
  console.log(
    `Created ${id} for ${email}. This is the password. It will not be shown again:\n\n${password}`,
  );
}

async function printResetLink(db: Db, email: string): Promise<void> {
  const config = readCommandConfig();
  const people = await loadPeople(config, db);
  const reset = await people.requestPasswordReset(email);
  if (!reset) throw new Error(`No person has the email address ${email}.`);
  console.log(
    `Give this link to ${reset.name} only. It works once and expires in an hour:\n\n${resetLink(config.baseUrl, reset.token)}`,
  );
}

/**
 * Creates the functions for user accounts. Their modules are loaded only now, because they triple the
 * start time.
 */
async function loadPeople(config: Config, db: Db) {
  const { People } = await import('../users/people.ts');
  return new People(db, { secret: config.loadOrCreateSecret(), baseUrl: config.baseUrl });
}

async function resetTwoStep(db: Db, email: string): Promise<void> {
  const { resetSecondFactor } = await import('../users/second-factor.ts');
  await resetSecondFactor(db, await findPersonId(db, email));
  console.log(`Two-step sign-in is off for ${email}. All their sessions were ended.`);
}

async function listPeople(db: Db): Promise<void> {
  const rows = await db
    .selectFrom('person')
    .leftJoin('membership', 'membership.person_id', 'person.id')
    .select(['person.id', 'person.email', 'person.name', 'organization_id', 'role'])
    .orderBy('person.email')
    .execute();
  if (rows.length === 0) return console.log('No people yet.');
  for (const { id, email, name, organization_id, role } of rows) {
    console.log(
      [id, email, name, role ? `${role} of ${organization_id}` : 'no organization'].join('\t'),
    );
  }
}

interface JoinOptions {
  organization: string;
  role: Role;
  permissions: string;
}

async function joinOrganization(db: Db, email: string, options: JoinOptions): Promise<void> {
  const { organization, role } = options;
  const personId = await findPersonId(db, email);
  const permissions = parseScopes(options.permissions);
  await setMembership(db, { organizationId: organization, personId, role, permissions });
  console.log(`${email} is ${role} of ${organization}.`);
}

async function leaveOrganization(db: Db, email: string, organization: string): Promise<void> {
  const removed = await endMembership(db, organization, await findPersonId(db, email));
  if (!removed) throw new Error(`${email} is not a member of ${organization}.`);
  console.log(`${email} is no longer a member of ${organization}.`);
}

/**
 * Returns the id of the person with the given email address.
 *
 * @throws {Error} if there is no such person
 */
export async function findPersonId(db: Db, email: string): Promise<string> {
  const row = await db
    .selectFrom('person')
    .select('id')
    .where('email', '=', emailKey(email))
    .executeTakeFirst();
  if (!row) throw new Error(`No person has the email address ${email}.`);
  return row.id;
}
