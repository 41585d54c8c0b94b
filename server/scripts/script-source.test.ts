import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createScripts } from './script-source.ts';

test('a worker serves scripts and their hashes, also under the version, with their types', async () => {
  const scripts = createScripts({ 'connect.js': '', 'integrity.json': '{}' }, '1.2.3');
  for (const folder of ['', 'v1.2.3/']) {
    const script = await scripts.find(`${folder}connect.js`);
    assert.equal(script?.type, 'text/javascript; charset=utf-8');
    assert.equal((await scripts.find(`${folder}integrity.json`))?.type, 'application/json');
  }
  assert.equal(await scripts.find('v1.2.2/connect.js'), undefined);
});
