import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { tenantTablesRule } from './tenant-tables.js';

const problemsOf = (text: string): string[] =>
  new Linter()
    .verify(
      text,
      {
        files: ['**/*.ts'],
        languageOptions: { parser: tseslint.parser },
        plugins: { workspace: { rules: { 'tenant-tables': tenantTablesRule } } },
        rules: { 'workspace/tenant-tables': 'error' },
      },
      { filename: 'query.ts' },
    )
    .map(({ message }) => message);

describe('the lint rule for tenant tables', () => {
  for (const text of [
    `db.selectFrom('donation').execute();`,
    `tx.insertInto('refund').values(row);`,
    `deps.db.updateTable('fund').set({ name });`,
    `db.deleteFrom('campaign');`,
    `db.selectFrom('recurring_plan as plan');`,
    `db.selectFrom(table);`,
    `const query = openDatabase(); query.selectFrom('donation');`,
    `const list = (db: Db) => db.selectFrom('donation');`,
  ]) {
    test(`rejects ${text}`, () => {
      assert.match(problemsOf(text).join(), /with forOrganization\(db, organizationId\)/);
    });
  }

  for (const text of [
    `forOrganization(db, id).selectFrom('donation').execute();`,
    `acrossOrganizations(db).deleteFrom('embed_session');`,
    `const organization = forOrganization(tx, id); organization.updateTable('refund');`,
    `const list = (organization: OrganizationScope) => organization.selectFrom('donation');`,
    `query.where('id', 'in', (eb) => eb.selectFrom('donation').select('id'));`,
    `db.selectFrom('organization').selectAll();`,
    `db.selectFrom(donations.as('donations')).selectAll();`,
  ]) {
    test(`allows ${text}`, () => {
      assert.deepEqual(problemsOf(text), []);
    });
  }
});
