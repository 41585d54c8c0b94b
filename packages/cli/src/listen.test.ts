import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { MINIMAL_ENV } from '@connect-embed/api/test-support/processes/processes';
import { eventually } from '@connect-embed/api/test-support/app/start-api';
import { openQueue } from '@connect-embed/api/test-support/network/webhook-queue';
import {
  respondWith,
  startReceiver,
} from '@connect-embed/api/test-support/network/webhook-receiver';
import { verifyWebhook } from '@connect-embed/client/webhooks';

const MAIN = join(import.meta.dirname, 'main.ts');

const queue = await openQueue();
const receiver = await startReceiver();
after(receiver.stop);

/** Runs the command. */
function listen(...args: string[]) {
  const env = { ...MINIMAL_ENV, DATABASE_URL: queue.url, API_SECRET: 's'.repeat(32) };
  const child = spawn(process.execPath, [MAIN, 'listen', ...args], { env });
  after(() => child.kill('SIGKILL'));
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output.text += text));
  }
  const ended = once(child, 'close') as Promise<[number | null]>;
  return {
    output,
    ended,
    line: (pattern: RegExp) => eventually(async () => pattern.exec(output.text) ?? undefined),
    stop: async () => {
      child.kill('SIGINT');
      return (await ended)[0];
    },
  };
}

const idsOf = () => receiver.received.map(({ body }) => (JSON.parse(body) as { id: string }).id);
const savedIds = async (type: string) =>
  (
    await queue.db
      .selectFrom('webhook_event')
      .select('id')
      .where('type', '=', type)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
  ).map(({ id }) => id);

describe('connect-embed listen', () => {
  test('forwards signed events of the selected types once, and none from before', async () => {
    await queue.enqueueEvents(2);
    const before = await savedIds('donation.created');
    const command = listen('--forward-to', receiver.url, '--events', 'donation.created');
    const [, secret] = await command.line(/Webhook signing secret: (whsec_\S+)/);
    await queue.enqueueEvents(1, 'donation.refunded');
    await queue.enqueueEvents(3);
    await queue.receive(receiver, 3);
    await command.line(/(donation\.created {2}evt_\S+ {2}204[^]*){3}/);
    assert.equal(await command.stop(), 0);
    const expected = (await savedIds('donation.created')).filter((id) => !before.includes(id));
    assert.deepEqual(idsOf(), expected);
    for (const { body, headers } of receiver.received) verifyWebhook(body, headers, secret!);
  });

  test('loses no event of a transaction that commits later than others', async () => {
    const command = listen('--forward-to', receiver.url);
    await command.line(/signing secret/);
    receiver.received.length = 0;
    const late = queue.db.transaction().execute(async (tx) => {
      await tx
        .insertInto('webhook_event')
        .values({
          id: 'evt_late',
          organization_id: 'org_queue',
          type: 'donation.created',
          body: '{"id":"evt_late"}',
        })
        .execute();
      await queue.enqueueEvents(1);
      await queue.receive(receiver, 1);
    });
    await late;
    await queue.receive(receiver, 2);
    await queue.enqueueEvents(1);
    await queue.receive(receiver, 3);
    assert.equal(await command.stop(), 0);
    assert.equal(idsOf()[1], 'evt_late');
    assert.equal(new Set(idsOf()).size, 3);
  });

  test('prints a refused connection and an error status, and goes on', async () => {
    const broken = await startReceiver(respondWith(500));
    const command = listen('--forward-to', broken.host);
    await command.line(/signing secret/);
    await queue.enqueueEvents(1);
    await command.line(/donation\.created {2}evt_\S+ {2}500/);
    await broken.stop();
    await queue.enqueueEvents(1);
    await command.line(/The connection was refused\./);
    assert.equal(await command.stop(), 0);
  });

  test('says which option is wrong', async () => {
    for (const [args, problem] of [
      [[], /--forward-to <url>' not specified/],
      [['--forward-to', 'http://'], /It must be an address/],
      [
        ['--forward-to', 'localhost:1', '--events', 'donation.made'],
        /no event type “donation.made”/,
      ],
      [['--forward-to', 'localhost:1', '--organization', 'org_none'], /No organization has the ID/],
    ] as const) {
      const command = listen(...args);
      assert.deepEqual((await command.ended)[0], 1);
      assert.match(command.output.text, problem);
    }
  });

  test('does not migrate the database of another release', async () => {
    const rename = (from: string, to: string) =>
      queue.db.schema.alterTable(from).renameTo(to).execute();
    await rename('kysely_migration', 'hidden_migration');
    const command = listen('--forward-to', receiver.url);
    assert.equal((await command.ended)[0], 1);
    assert.match(command.output.text, /The database is empty or of another release\./);
    await rename('hidden_migration', 'kysely_migration'); // Fails if the command has created the table.
  });
});
