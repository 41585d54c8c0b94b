import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { describe, test } from 'node:test';
import { ERROR_STATUS, EVENT_TYPES, SCOPES } from '@connect-embed/contract';
import { codeBlocks, readGuide } from '../../test-support/guides/read-guide.ts';
import { fieldNames } from '../../test-support/inputs/field-names.ts';
import { startOauth } from '../../test-support/app/start-oauth.ts';
import { openTerminal } from '../../test-support/guides/terminal.ts';
import { guideContent, GUIDES, type GuideName } from './guides.ts';

const lookup = async () => ['93.184.216.34'];
const oauth = await startOauth({ sandbox: true, hosts: { lookup } });
const { api } = oauth;

/** Opens a terminal with the shell variables that README.md of the guides introduces. */
async function openTerminalWithKey() {
  const { token } = await api.createKey();
  const run = await openTerminal();
  await run(`API=${api.url}/api/v1\nKEY=${token}`);
  return async (script: string) => await run(fillPlaceholders(script, { 'gb_live_…': token }));
}

/** Replaces the placeholders in a script: the URL of the API, and values with an ellipsis. */
const fillPlaceholders = (script: string, values: Record<string, string>) =>
  Object.entries({ 'http://localhost:4000': api.url, ...values }).reduce(
    (text, [placeholder, value]) => text.replaceAll(placeholder, value),
    script,
  );

/**
 * Runs the commands of a guide, and compares each output with the JSON that follows it. A command
 * whose output the guide does not show must not fail.
 */
async function runGuide(guide: string, run: (script: string) => Promise<string>) {
  const blocks = codeBlocks(guide);
  for (const [index, { language, text }] of blocks.entries()) {
    if (language !== 'sh') continue;
    const output = await run(text);
    const next = blocks[index + 1];
    if (next?.language !== 'json') {
      assert.doesNotMatch(output, /"error" ?:/, text);
      continue;
    }
    assert.deepEqual(fieldNames(JSON.parse(output)), fieldNames(JSON.parse(next.text)), text);
  }
}

describe('the commands of the guide', () => {
  for (const guide of ['README', 'authentication', 'pagination', 'errors', 'webhooks']) {
    test(`${guide}.md return the documented fields`, async () => {
      await runGuide(guide, await openTerminalWithKey());
    });
  }

  test('idempotency.md create one payment intent and replay the response', async () => {
    const run = await openTerminalWithKey();
    const [script] = codeBlocks('idempotency').filter(({ language }) => language === 'sh');
    const output = await run(script!.text);
    const ids = [...output.matchAll(/"payment_intent_id":"(\w+)"/g)].map(([, id]) => id);
    assert.equal(ids.length, 2, output);
    assert.equal(ids[0], ids[1]);
    assert.equal([...output.matchAll(/^HTTP\/1\.1 201/gm)].length, 2);
    assert.equal([...output.matchAll(/^idempotent-replayed: true/gim)].length, 1);
  });

  test('rate-limits.md show the headers', async () => {
    const run = await openTerminalWithKey();
    const [script] = codeBlocks('rate-limits').filter(({ language }) => language === 'sh');
    const output = (await run(script!.text)).toLowerCase();
    for (const line of [
      'RateLimit-Policy: "default";q=120;w=60',
      'RateLimit: "default";r=119;t=60',
    ]) {
      assert.ok(output.includes(line.toLowerCase()), output);
      assert.ok(readGuide('rate-limits').includes(line), line);
    }
  });

  test('oauth.md connect an organization, refresh the token and disconnect', async () => {
    const app = await oauth.newApp(['https://platform.example.com/callback']);
    const run = await openTerminal();
    let code = '';
    const outputs: string[] = [];
    await runGuide('oauth', async (script) => {
      const output = await run(
        fillPlaceholders(script, {
          'CLIENT_ID=…': `CLIENT_ID=${app.id}`,
          'CLIENT_SECRET=gbs_…': `CLIENT_SECRET=${app.secret}`,
          'CODE=…': `CODE=${code}`,
        }),
      );
      outputs.push(output);
      if (output.includes('/authorize?')) {
        const { callback } = await oauth.decide(output.trim());
        assert.equal(callback.origin + callback.pathname, 'https://platform.example.com/callback');
        assert.ok(output.includes(`state=${callback.searchParams.get('state')}&`));
        code = callback.searchParams.get('code')!;
      }
      return output;
    });
    assert.match(outputs.at(-1)!, /200\n$/);
    const [, token] = /"refresh_token":"([^"]+)"/.exec(outputs.at(-2)!)!;
    const fields = { client_id: app.id, client_secret: app.secret };
    assert.equal((await oauth.refresh(token!, fields)).body.error, 'invalid_grant');
  });
});

test('the Node program of pagination.md reads every donation once', async () => {
  const run = await openTerminalWithKey();
  const [program] = codeBlocks('pagination').filter(({ language }) => language === 'js');
  const output = await run(
    `export API KEY\n'${process.execPath}' --input-type=module <<'PROGRAM'\n${program!.text}\nPROGRAM`,
  );
  const ids = output.trim().split('\n');
  const { count } = await api.db
    .selectFrom('donation')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organization_id', '=', 'org_harbor')
    .executeTakeFirstOrThrow();
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(ids.length, Number(count));
});

/** Returns the names in one column of a guide's tables, such as `donations:read`. */
const namesIn = (guide: string, column = 0) =>
  [...readGuide(guide).matchAll(/^\|(.+)\|$/gm)].flatMap(([, row]) => {
    const [, name] = /^ `([\w:.]+)` +$/.exec(row!.split('|')[column] ?? '') ?? [];
    return name ? [name] : [];
  });

describe('the tables of the guides', () => {
  test('name every scope', () => {
    assert.deepEqual(namesIn('authentication'), Object.keys(SCOPES));
  });

  test('name every type of error with its status', () => {
    const [, types] = readGuide('errors').split('## What to do');
    const documentedErrors = [...types!.matchAll(/^\| \d+ +\| `(\w+)`/gm)].map(([, type]) => type);
    assert.deepEqual(documentedErrors.sort(), Object.keys(ERROR_STATUS).sort());
    for (const [type, status] of Object.entries(ERROR_STATUS)) {
      assert.match(readGuide('errors'), new RegExp(`^\\| ${status} +\\| \`${type}\` +\\|`, 'm'));
    }
  });

  test('name every event', () => {
    assert.deepEqual(namesIn('webhooks'), [...EVENT_TYPES]);
  });
});

test('every guide in docs/api is a page of the documentation', async () => {
  const names = (await readdir(new URL('../../../../docs/api/', import.meta.url))).map((file) =>
    basename(file, '.md'),
  );
  assert.deepEqual(names.sort(), ['README', ...Object.keys(GUIDES)].sort());
  for (const name of ['README', ...Object.keys(GUIDES)] as GuideName[]) {
    const text = String(guideContent(name, 'https://api.example.org'));
    assert.doesNotMatch(text, /localhost|\.md"/);
  }
});
