import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { codeBlocks } from '../../test-support/guides/read-guide.ts';
import { newSecret } from './secrets.ts';
import { signEvent } from './sign.ts';

/**
 * How each sample of docs/api/webhooks.md is run: with a program that reads all cases and prints a line with the result of
 * each.
 */
const LANGUAGES = [
  {
    language: 'js',
    command: process.execPath,
    file: 'verify.mjs',
    program: `
import { readFileSync } from 'node:fs';
for (const { secret, headers, body } of JSON.parse(readFileSync(0, 'utf8'))) {
  try {
    console.log(verifyWebhook(secret, headers, body).type);
  } catch (error) {
    console.log(error.message);
  }
}`,
  },
  {
    language: 'php',
    command: 'php',
    file: 'verify.php',
    program: `
foreach (json_decode(stream_get_contents(STDIN), true) as $input) {
    try {
        echo verify_webhook($input['secret'], $input['headers'], $input['body'])['type'], "\\n";
    } catch (Exception $error) {
        echo $error->getMessage(), "\\n";
    }
}`,
  },
  {
    language: 'python',
    command: 'python3',
    file: 'verify.py',
    program: `
import sys
for given in json.load(sys.stdin):
    try:
        print(verify_webhook(given["secret"], given["headers"], given["body"])["type"])
    except ValueError as error:
        print(error)`,
  },
  {
    language: 'ruby',
    command: 'ruby',
    file: 'verify.rb',
    program: `
JSON.parse($stdin.read).each do |given|
  puts verify_webhook(given['secret'], given['headers'], given['body'])['type']
rescue StandardError => e
  puts e.message
end`,
  },
];

const folder = mkdtempSync(join(tmpdir(), 'connect-samples-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const secret = newSecret();
const body = JSON.stringify({ id: 'evt_1', type: 'donation.created', note: 'für „Ana“ ❤' });
const sign = (secrets: readonly string[], at = new Date()) =>
  signEvent(secrets, { id: 'evt_1', at, body });
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

const WRONG = 'The signature is wrong.';
const TOO_OLD = 'The timestamp is too old or too new.';

const CASES = [
  { name: 'accepts an event', headers: sign([secret]), expected: 'donation.created' },
  {
    name: 'accepts an event that is also signed with the new secret',
    headers: sign([newSecret(), secret]),
    expected: 'donation.created',
  },
  {
    name: 'accepts a recent event',
    headers: sign([secret], minutesAgo(4)),
    expected: 'donation.created',
  },
  {
    name: 'accepts headers in another case',
    headers: Object.fromEntries(
      Object.entries(sign([secret])).map(([name, value]) => [name.toUpperCase(), value]),
    ),
    expected: 'donation.created',
  },
  {
    name: 'accepts a secret that was read from a file with a line break at its end',
    headers: sign([secret]),
    secret: `${secret}\n`,
    expected: 'donation.created',
  },
  { name: 'rejects another secret', headers: sign([newSecret()]), expected: WRONG },
  {
    name: 'rejects a changed body',
    headers: sign([secret]),
    body: body.replace('evt_1', 'evt_2'),
    expected: WRONG,
  },
  {
    name: 'rejects a changed id',
    headers: { ...sign([secret]), 'webhook-id': 'evt_2' },
    expected: WRONG,
  },
  { name: 'rejects an old event', headers: sign([secret], minutesAgo(6)), expected: TOO_OLD },
  { name: 'rejects a future event', headers: sign([secret], minutesAgo(-6)), expected: TOO_OLD },
  {
    name: 'rejects a missing signature',
    headers: { ...sign([secret]), 'webhook-signature': undefined },
    expected: WRONG,
  },
  { name: 'rejects missing headers', headers: {}, expected: TOO_OLD },
];

for (const { language, command, file, program } of LANGUAGES) {
  const isInstalled = spawnSync(command, ['--version']).status === 0;
  describe(
    `the ${language} sample`,
    { skip: !isInstalled && `${command} is not installed.` },
    () => {
      const path = join(folder, file);
      const sample = codeBlocks('webhooks').find((block) => block.language === language)!.text;
      writeFileSync(path, `${sample}\n${program}\n`);
      const input = JSON.stringify(CASES.map((given) => ({ secret, body, ...given })));
      let results: string[] = [];
      before(() => {
        results = execFileSync(command, [path], { input, encoding: 'utf8' }).split('\n');
      });
      for (const [index, { name, expected }] of CASES.entries()) {
        test(name, () => assert.equal(results[index], expected));
      }
    },
  );
}
