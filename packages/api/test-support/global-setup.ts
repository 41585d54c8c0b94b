import { openTestServer, serverEnvironment, type TestServer } from './database/database-server.ts';
import { createSeededTemplate } from './database/seeded-template.ts';

let server: TestServer | undefined;

/** Runs once before all test files: `node --test --test-global-setup=…/global-setup.ts`. */
export async function globalSetup() {
  // The server is used without the pooler: a pooler keeps connections open, and PostgreSQL cannot clone
  // a database with open connections.
  server = await openTestServer(process.env['DIRECT_DATABASE_URL'] ?? process.env['DATABASE_URL']);
  // Test files run in separate processes, which inherit these variables.
  Object.assign(process.env, serverEnvironment(server));
  process.env['TEST_SEEDED_TEMPLATE'] = await createSeededTemplate(server);
}

/** Runs once after all test files, even if some failed. */
export async function globalTeardown() {
  await server?.close();
}
