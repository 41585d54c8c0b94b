import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { OWNER, startOauth } from '@connect-embed/api/test-support/app/start-oauth';

const { api, visitor } = await startOauth();
const HOME = '/dashboard/org_harbor';

test('a card testing attack shows a banner on every page of the organization, and later an entry on its home page', async () => {
  const person = visitor();
  const page = await person.openAs(OWNER, HOME);
  assert.doesNotMatch(page.text, /stolen cards|Card testing/i);

  await api.db
    .insertInto('attack_alarm')
    .values({
      id: 'att_1',
      organization_id: 'org_harbor',
      declined_cards: 1234,
      attempted_cards: 1300,
    })
    .execute();
  for (const path of [HOME, `${HOME}/donors`, `${HOME}/receipts`]) {
    assert.match((await person.openAs(OWNER, path)).text, /Stolen cards are being tested/, path);
  }

  const detectedAt = sql<Date>`last_detected_at - interval '16 minutes'`;
  await api.db
    .updateTable('attack_alarm')
    .set({ started_at: detectedAt, last_detected_at: detectedAt })
    .execute();
  const after = await person.openAs(OWNER, HOME);
  assert.doesNotMatch(after.text, /Stolen cards are being tested/);
  assert.match(after.text, /Card testing[^]*1,234\s+of\s+1,300\s+cards\s+were\s+declined/);
});
