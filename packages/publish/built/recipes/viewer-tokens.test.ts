import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { openServer } from '../../../../server/test-support/embedding-page.ts';
import { startSystem } from '../../../../server/test-support/system.ts';
import { EXAMPLES } from '../examples.ts';
import { InstalledSite } from '../installed-site.ts';

const VIEWER_SECRET = 'the viewer secret of this test, long enough';

/** Recipes, and the program that runs each. */
const RECIPES = [
  ['viewer-token.js', process.execPath],
  ['viewer-token.php', 'php'],
  ['viewer-token.py', 'python3'],
  ['viewer-token.rb', 'ruby'],
] as const;

const system = await startSystem();
after(() => system.close());
const site = new InstalledSite(['jose']);
after(() => site.remove());
const { key: apiKey } = await system.createKey();
const { post } = openServer(system.apiBase, { apiKey, viewer: { secret: VIEWER_SECRET } });

/** Requests a session of the Connect server with a viewer token. */
const openSession = async (token: string, component: string) => {
  const authorization = `Bearer ${token}`;
  return await post('/component-sessions', { components: [component] }, { authorization });
};

/** The token that a recipe prints; undefined if its program is not installed. */
function runRecipe(file: string, program: string): string | undefined {
  copyFileSync(join(EXAMPLES, 'tokens', file), join(site.folder, file));
  try {
    const env = { ...process.env, VIEWER_SECRET };
    return execFileSync(program, [file], { cwd: site.folder, env, encoding: 'utf8' }).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The same token with a further component among its claims, and the signature of the original. */
function withMoreComponents(token: string): string {
  const [header, claims, signature] = token.split('.');
  const { components, ...rest } = JSON.parse(
    Buffer.from(claims!, 'base64url').toString(),
  ) as Record<string, string[]>;
  const changed = { ...rest, components: [...components!, 'donors'] };
  return `${header}.${Buffer.from(JSON.stringify(changed)).toString('base64url')}.${signature}`;
}

describe('a viewer token', () => {
  for (const [file, program] of RECIPES) {
    test(`of tokens/${file} opens a session, and only for its components`, async (t) => {
      const token = runRecipe(file, program);
      if (token === undefined) return t.skip(`${program} is not installed`);
      const session = await openSession(token, 'donations');
      assert.equal(session.status, 201, await session.text());
      assert.equal((await openSession(token, 'donors')).status, 403);

      const refused = await openSession(withMoreComponents(token), 'donors');
      assert.equal(refused.status, 401);
      assert.match(await refused.text(), /viewer_token_invalid/);
    });
  }
});
