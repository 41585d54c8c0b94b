import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { PlatformConfig } from './platform-config.ts';

test('docs/platforms.md explains every field of the configuration', async () => {
  const guide = await readFile(new URL('../../docs/platforms.md', import.meta.url), 'utf8');
  for (const field of Object.keys(PlatformConfig.shape))
    assert.ok(guide.includes(`\`${field}\``), field);
});
