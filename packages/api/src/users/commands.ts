import { randomBytes } from 'node:crypto';
import { Option, type Command } from 'commander';
import { parseScopes } from '../auth/api-key.ts';
import { readConfig } from '../config.ts';
import type { Db } from '../db/database.ts';
import { createPeople } from '../deps.ts';
import { resetLink } from './links.ts';
import { resetSecondFactor } from './second-factor.ts';
import { endMembership, ROLES, setMembership, type Role } from './membership.ts';

export type WithDatabase = (act: (db: Db) => Promise<void>) => Promise<void>;

const print = (line: string) => void process.stdout.write(`${line}\n`);

interface JoinOptions {
  organization: string;
  role: Role;
  permissions: string;
}

/**
 * Registers the CLI commands `connect people create | reset-password | list | reset-two-step | join
 * | leave`.
 */
export function addPeopleCommands(program: Command, withDatabase: WithDatabase): void {
  const people = program.command('people').description('who may sign in, and what they are where');

  people
    .command('create')
    .description('add a person; the first password is shown this once')
    .requiredOption('--email <address>', 'what they sign in with')
    .requiredOption('--name <name>', 'as others will read it')
    .action(({ email, name }: { email: string; name: string }) =>
      withDatabase(async (db) => {
        const password = randomBytes(12).toString('base64url');
        const id = await createPeople(readConfig(), db).create({ email, name, password });
        print(`${id} is ${email}. This is the password; it is not shown again:\n\n${password}`);
      }),
    );

  people
    .command('reset-password')
    .description('make a link with which a person chooses a new password; good once, for an hour')
    .argument('<email>')
    .action((email: string) =>
      withDatabase(async (db) => {
        const config = readConfig();
        const reset = await createPeople(config, db).requestPasswordReset(email);
        if (!reset) throw new Error(`There is nobody with the address ${email}.`);
        print(
          `For ${reset.name} alone, once, within an hour:\n\n${resetLink(config.baseUrl, reset.token)}`,
        );
      }),
    );

  people
    .command('reset-two-step')
    .description('turn two-step sign-in off for a person who lost their phone and backup codes')
    .argument('<email>')
    .action((email: string) =>
      withDatabase(async (db) => {
        await resetSecondFactor(db, await findPerson(db, email));
        print(`Two-step sign-in is off for ${email}, who is signed out everywhere.`);
      }),
    );

  people
    .command('list')
    .description('list people and their organizations')
    .action(() => withDatabase(listPeople));

  people
    .command('join')
    .description('add a person to an organization, or change what they are there')
    .argument('<email>')
    .requiredOption('--organization <id>')
    .addOption(new Option('--role <role>').choices(ROLES).makeOptionMandatory())
    .option('--permissions <scopes>', 'of an admin: comma separated, or all', 'all')
    .action((email: string, { organization, role, permissions }: JoinOptions) =>
      withDatabase(async (db) => {
        const personId = await findPerson(db, email);
        const scopes = parseScopes(permissions);
        await setMembership(db, {
          organizationId: organization,
          personId,
          role,
          permissions: scopes,
        });
        print(`${email} is ${role} of ${organization}.`);
      }),
    );

  people
    .command('leave')
    .description('take a person out of an organization; what they approved there ends')
    .argument('<email>')
    .requiredOption('--organization <id>')
    .action((email: string, { organization }: { organization: string }) =>
      withDatabase(async (db) => {
        const removed = await endMembership(db, organization, await findPerson(db, email));
        if (!removed) throw new Error(`${email} is no member of ${organization}.`);
        print(`${email} is no longer a member of ${organization}.`);
      }),
    );
}

/**
 * Returns the id of the person with an e-mail address.
 *
 * @throws {Error} if there is no such person
 */
export async function findPerson(db: Db, email: string): Promise<string> {
  const row = await db
    .selectFrom('person')
    .select('id')
    .where('email', '=', email.trim().toLowerCase())
    .executeTakeFirst();
  if (!row) throw new Error(`There is nobody with the address ${email}.`);
  return row.id;
}

async function listPeople(db: Db): Promise<void> {
  const rows = await db
    .selectFrom('person')
    .leftJoin('membership', 'membership.person_id', 'person.id')
    .select(['person.id', 'person.email', 'person.name', 'organization_id', 'role'])
    .orderBy('person.email')
    .execute();
  if (rows.length === 0) return print('There is nobody yet.');
  for (const { id, email, name, organization_id, role } of rows) {
    print([id, email, name, role ? `${role} of ${organization_id}` : 'no organization'].join('\t'));
  }
}
