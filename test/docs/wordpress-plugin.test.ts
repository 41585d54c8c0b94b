import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { findProgram } from '../support/find-program.ts';
import { PLUGIN, POT_FILE, renderPot } from '../wordpress/pot.ts';

const read = (file: string) => readFileSync(join(PLUGIN, file), 'utf8');
const README = read('readme.txt');
const MAIN = read('connect-embed.php');
const FILES = globSync('**/*.php', { cwd: PLUGIN }).sort();
const php = findProgram('php');

const headerOf = (text: string, name: string) =>
  new RegExp(`^(?: \\* )?${name}:\\s+(.*)$`, 'm').exec(text)?.[1];

describe('readme.txt has the format of the plugin directory', () => {
  for (const name of [
    'Contributors',
    'Tags',
    'Tested up to',
    'Requires at least',
    'Requires PHP',
    'Stable tag',
    'License',
    'License URI',
  ]) {
    test(`names ${name}`, () => assert.ok(headerOf(README, name)));
  }

  for (const section of [
    'Description',
    'Installation',
    'Frequently Asked Questions',
    'Screenshots',
    'Changelog',
    'Upgrade Notice',
  ]) {
    test(`has the section ${section}`, () =>
      assert.match(README, new RegExp(`^== ${section} ==$`, 'm')));
  }

  test('starts with the name of the plugin', () => {
    assert.equal(/^=== (.*) ===$/m.exec(README)?.[1], headerOf(MAIN, 'Plugin Name'));
  });

  test('has at most five tags and a description of at most 150 characters', () => {
    assert.ok(headerOf(README, 'Tags')!.split(',').length <= 5);
    const description = /^License URI:.*\n\n(.*)\n/m.exec(README)![1]!;
    assert.ok(description.length > 0 && description.length <= 150);
  });
});

describe('the plugin', () => {
  test('has the same version and requirements everywhere', () => {
    const version = headerOf(MAIN, 'Version');
    assert.equal(headerOf(README, 'Stable tag'), version);
    assert.ok(MAIN.includes(`const VERSION     = '${version}';`));
    assert.equal((JSON.parse(read('block/block.json')) as { version: string }).version, version);
    assert.match(README, new RegExp(`^= ${version} =$`, 'm'));
    for (const name of ['Requires at least', 'Requires PHP', 'License', 'License URI']) {
      assert.equal(headerOf(README, name), headerOf(MAIN, name), name);
    }
  });

  test('has its license beside it', () => {
    assert.ok(existsSync(join(PLUGIN, '../LICENSE')));
  });

  test('sends requests in one file only', () => {
    const senders = FILES.filter((file) => /wp_(?:safe_)?remote_|curl_|fsockopen/.test(read(file)));
    assert.deepEqual(senders, ['includes/server.php']);
  });

  for (const file of FILES) {
    test(`${file} cannot be opened by its address`, () => {
      assert.match(read(file), /defined\( '(?:ABSPATH|WP_UNINSTALL_PLUGIN)' \) \|\| exit;/);
    });

    test(`${file} has no syntax error`, { skip: php ? false : 'PHP is not installed' }, () => {
      const { status, stdout } = spawnSync(php!, ['-l', join(PLUGIN, file)], { encoding: 'utf8' });
      assert.equal(status, 0, stdout);
    });
  }

  test('has every text in its template for translations: node test/wordpress/write-pot.ts', () => {
    assert.equal(readFileSync(POT_FILE, 'utf8'), renderPot());
  });

  test('marks each text with its text domain', () => {
    for (const file of globSync('**/*.{php,js}', { cwd: PLUGIN })) {
      const calls = read(file).match(/\b(?:esc_html_|esc_attr_|_)_?[_e]\(/g) ?? [];
      const marked = read(file).match(/, 'connect-embed',?\s*\)|'connect-embed',\n\s*\)/g) ?? [];
      assert.ok(marked.length >= calls.length, file);
    }
  });
});
