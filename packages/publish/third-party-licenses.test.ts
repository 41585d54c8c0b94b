import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { format, resolveConfig } from 'prettier';
import { thirdPartyLicenses } from './third-party-licenses.ts';

const FILE = join(import.meta.dirname, '../../THIRD-PARTY-LICENSES.md');

/** `UPDATE_DOCS=1 npm run test:unit` updates the file. */
test('THIRD-PARTY-LICENSES.md lists what the lock file installs', async () => {
  const options = { ...(await resolveConfig(FILE)), parser: 'markdown' };
  const expected = await format(thirdPartyLicenses(), options);
  if (process.env['UPDATE_DOCS']) writeFileSync(FILE, expected);
  else assert.equal(readFileSync(FILE, 'utf8'), expected);
});

test('every package has a license, and libvips is named', () => {
  const text = thirdPartyLicenses();
  assert.doesNotMatch(text, /\| undefined \|/);
  assert.match(text, /`@img\/sharp-libvips-linux-x64` \| [\d.]+ \| LGPL-3\.0-or-later/);
  assert.match(text, /### lit \d[\s\S]*Redistributions in binary form must reproduce/);
});
