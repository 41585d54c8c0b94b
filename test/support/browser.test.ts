import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import { findBrowser } from './browser.ts';
import { browserSources, type BrowserSource } from './browser-sources.ts';

const folder = await mkdtemp(join(tmpdir(), 'browser-test-'));
after(() => rm(folder, { recursive: true }));

/** Creates an executable file; whether it counts as a browser depends on `tryBrowser`. */
async function executable(name: string) {
  const path = join(folder, name);
  await writeFile(path, '#!/bin/sh\nexit 1\n');
  await chmod(path, 0o755);
  return path;
}

const source = (name: string, ...paths: string[]): BrowserSource => ({
  name,
  candidates: () => Promise.resolve(paths.map((path) => ({ path, env: {} }))),
});

let cacheFolder: string;
let attemptedPaths: string[];
beforeEach(async () => {
  cacheFolder = await mkdtemp(join(folder, 'cache-'));
  attemptedPaths = [];
});

/** Accepts only the named files, and records every attempt. */
const accepting =
  (...working: string[]) =>
  (path: string) => {
    attemptedPaths.push(path);
    if (working.includes(path)) return Promise.resolve();
    return Promise.reject(new Error('boom: cannot open shared object file'));
  };

describe('findBrowser', () => {
  test('returns the first browser that starts, in order', async () => {
    const [unusable, working, unused] = await Promise.all(
      ['stub', 'good', 'spare'].map(executable),
    );
    const sources = [source('one', unusable!), source('two'), source('three', working!, unused!)];
    const options = { env: {}, cacheFolder, sources, tryBrowser: accepting(working!, unused!) };
    assert.deepEqual(await findBrowser(options), { path: working, env: {}, source: 'three' });
    assert.deepEqual(attemptedPaths, [unusable, working]);
  });

  test('does not query later sources once one works', async () => {
    const working = await executable('good');
    const unexpectedSource: BrowserSource = {
      name: 'network',
      candidates: () => assert.fail('was queried'),
    };
    const sources = [source('one', working), unexpectedSource];
    await findBrowser({ env: {}, cacheFolder, sources, tryBrowser: accepting(working) });
  });

  test('prefers a headless shell if requested, and caches it separately', async () => {
    const [full, light] = await Promise.all(['full', 'light'].map(executable));
    const sources = [
      source('machine', full!),
      { ...source('package', light!), isHeadlessShell: true },
    ];
    const options = { env: {}, cacheFolder, sources, tryBrowser: accepting(full!, light!) };
    assert.equal((await findBrowser(options)).path, full);
    assert.equal((await findBrowser({ ...options, prefersHeadlessShell: true })).path, light);
    assert.equal((await findBrowser(options)).path, full);
    assert.deepEqual(attemptedPaths, [full, light]);
  });

  test('returns any browser if no headless shell is available', async () => {
    const full = await executable('full');
    const sources = [source('machine', full), { ...source('package'), isHeadlessShell: true }];
    const options = { env: {}, cacheFolder, sources, tryBrowser: accepting(full) };
    assert.equal((await findBrowser({ ...options, prefersHeadlessShell: true })).path, full);
  });

  test('continues when a source fails', async () => {
    const working = await executable('good');
    const failing: BrowserSource = {
      name: 'network',
      candidates: () => Promise.reject(new Error('no')),
    };
    const sources = [failing, source('two', working)];
    const found = await findBrowser({
      env: {},
      cacheFolder,
      sources,
      tryBrowser: accepting(working),
    });
    assert.equal(found.source, 'two');
  });

  test('prefers CHROME_PATH to all sources', async () => {
    const [chosen, other] = await Promise.all(['mine', 'other'].map(executable));
    const env = { CHROME_PATH: chosen! };
    const options = { cacheFolder, sources: [source('one', other!)] };
    const found = await findBrowser({ ...options, env, tryBrowser: accepting(chosen!, other!) });
    assert.equal(found.path, chosen);
  });

  test('rejects a CHROME_PATH that is not an executable file', async () => {
    const env = { CHROME_PATH: '/nowhere/chrome' };
    const failure = /^Error: CHROME_PATH: \/nowhere\/chrome is not an executable file\.$/;
    await assert.rejects(findBrowser({ env, cacheFolder, sources: [] }), failure);
  });

  test('rejects a CHROME_PATH that does not start, without a fallback', async () => {
    const [broken, other] = await Promise.all(['broken', 'other'].map(executable));
    const env = { CHROME_PATH: broken! };
    const options = { env, cacheFolder, sources: [source('one', other!)] };
    await assert.rejects(findBrowser({ ...options, tryBrowser: accepting(other!) }), /CHROME_PATH/);
    assert.deepEqual(attemptedPaths, [broken]);
  });

  test('lists all attempts if none works', async () => {
    const unusable = await executable('stub');
    const options = { env: {}, cacheFolder, sources: [source('this machine', unusable)] };
    await assert.rejects(findBrowser({ ...options, tryBrowser: accepting() }), (error: Error) => {
      assert.match(error.message, /Install Chromium or Chrome, or name one with CHROME_PATH/);
      assert.match(error.message, /this machine: .*stub does not start\. boom/);
      return true;
    });
  });

  test('starts a cached browser only once, until its file changes', async () => {
    const working = await executable('good');
    const sources = [source('one', working)];
    const options = { env: {}, cacheFolder, sources, tryBrowser: accepting(working) };
    await findBrowser(options);
    await findBrowser(options);
    assert.deepEqual(attemptedPaths, [working]);
    await utimes(working, 1, 1);
    await findBrowser(options);
    assert.deepEqual(attemptedPaths, [working, working]);
  });

  test('ignores a cached CHROME_PATH that is no longer set', async () => {
    const [chosen, other] = await Promise.all(['mine', 'other'].map(executable));
    const options = { cacheFolder, sources: [source('one', other!)] };
    const tryBrowser = accepting(chosen!, other!);
    await findBrowser({ ...options, env: { CHROME_PATH: chosen! }, tryBrowser });
    const found = await findBrowser({ ...options, env: {}, tryBrowser });
    assert.equal(found.path, other);
  });
});

describe('browserSources', () => {
  test('lists the machine first and the network last', () => {
    const names = browserSources(cacheFolder, {}).map(({ name }) => name);
    assert.deepEqual(names, [
      'this machine',
      "Playwright's cache",
      'npm package @sparticuz/chromium',
      'npx playwright install chromium',
      'apt-get install chromium',
    ]);
  });

  test('finds a browser on PATH', { skip: process.platform === 'win32' }, async () => {
    const path = await executable('chromium');
    const [machine] = browserSources(cacheFolder, { PATH: folder });
    assert.deepEqual(
      (await machine!.candidates()).filter((found) => found.path.startsWith(folder)),
      [{ path, env: {} }],
    );
  });
});
