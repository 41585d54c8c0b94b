import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { cloneDatabase } from '../../test-support/database/database.ts';
import { newId } from '../lib/id.ts';
import { openDatabase } from './database.ts';
import { forOrganization } from './organization-scope.ts';

const { url, drop } = await cloneDatabase();
const { db, close } = openDatabase(url);
after(async () => {
  await close();
  await drop();
});
await db
  .insertInto('organization')
  .values([
    { id: 'org_harbor', name: 'Harbor', slug: 'harbor', currency: 'usd' },
    { id: 'org_lantern', name: 'Lantern', slug: 'lantern', currency: 'usd' },
  ])
  .execute();
const harbor = forOrganization(db, 'org_harbor');
const lantern = forOrganization(db, 'org_lantern');

const newFund = (name: string) => ({
  id: newId('fund'),
  name,
  type: 'unrestricted' as const,
  published: true,
});

const namesOf = async (organizationId: string) =>
  (
    await db
      .selectFrom('fund')
      .select('name')
      .where('organization_id', '=', organizationId)
      .where('name', 'like', 'Scope %')
      .orderBy('name')
      .execute()
  ).map(({ name }) => name);

describe('the scope of an organization', () => {
  test('inserts one row or several with the id of the organization', async () => {
    await harbor.insertInto('fund', newFund('Scope 1')).execute();
    await harbor.insertInto('fund', [newFund('Scope 2'), newFund('Scope 3')]).execute();
    await lantern.insertInto('fund', newFund('Scope 4')).execute();
    assert.deepEqual(await namesOf('org_harbor'), ['Scope 1', 'Scope 2', 'Scope 3']);
    assert.deepEqual(await namesOf('org_lantern'), ['Scope 4']);
  });

  test('reads, updates and deletes only rows of the organization', async () => {
    const like = ['name', 'like', 'Scope %'] as const;
    const rows = await harbor
      .selectFrom('fund')
      .select('organization_id')
      .where(...like)
      .execute();
    assert.deepEqual(
      rows.map((row) => row.organization_id),
      ['org_harbor', 'org_harbor', 'org_harbor'],
    );
    await lantern
      .updateTable('fund')
      .set({ name: 'Scope changed' })
      .where(...like)
      .execute();
    assert.deepEqual(await namesOf('org_harbor'), ['Scope 1', 'Scope 2', 'Scope 3']);
    assert.deepEqual(await namesOf('org_lantern'), ['Scope changed']);
    await harbor
      .deleteFrom('fund')
      .where(...like)
      .execute();
    assert.deepEqual(await namesOf('org_harbor'), []);
    assert.deepEqual(await namesOf('org_lantern'), ['Scope changed']);
  });

  test('does not let a row be inserted for another organization', () => {
    const row = { ...newFund('Scope 5'), organization_id: 'org_lantern' };
    // @ts-expect-error: only the scope sets the organization
    const query = harbor.insertInto('fund', row).compile();
    assert.ok(!query.parameters.includes('org_lantern'));
  });
});
