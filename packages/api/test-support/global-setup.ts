import { openTestServer, type TestServer } from './database-server.ts';

let server: TestServer | undefined;

/** Runs once, before every test file: `node --test --test-global-setup=…/global-setup.ts`. */
export async function globalSetup() {
  // A pooler keeps connections, and PostgreSQL clones no database that has some: clones are made directly.
  server = await openTestServer(process.env['DIRECT_DATABASE_URL'] ?? process.env['DATABASE_URL']);
  // The test files run in processes of their own, which inherit this.
  process.env['TEST_SERVER_URL'] = server.url;
  process.env['TEST_TEMPLATE'] = server.template;
}

/** Runs once, after every test file, failed ones too. */
export async function globalTeardown() {
  await server?.close();
}
