import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOauth } from '../../test-support/app/start-oauth.ts';
import { hashToken } from '../lib/id.ts';
import { removeOldTokens } from './expired-tokens.ts';

const { api, tokens, refresh } = await startOauth();

test('expired tokens are removed; tokens that are valid or needed to detect a replay stay', async () => {
  const live = await tokens();
  const expired = await tokens({ scope: 'donations:read' });
  const count = async () => (await api.db.selectFrom('oauth_grant').select('id').execute()).length;
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  await api.db
    .updateTable('oauth_token')
    .set({ expires_at: yesterday })
    .where('token_hash', '=', hashToken(expired.access_token))
    .execute();
  await api.db
    .updateTable('oauth_token')
    .set({ expires_at: yesterday })
    .where('kind', '=', 'code')
    .execute();
  await api.db
    .updateTable('oauth_grant')
    .set({ created_at: yesterday } as object)
    .execute();
  assert.equal(await count(), 2);
  await removeOldTokens(api.db);
  assert.equal(await count(), 1);
  assert.equal((await refresh(live.refresh_token)).status, 200);
});
