import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, describe, test } from 'node:test';
import type { PaymentIntent } from '@connect-embed/contract';
import { startMailServer } from '../../test-support/network/mail-server.ts';
import { eventually, startApi, stripeAt } from '../../test-support/app/start-api.ts';
import type { LeaseWorker } from '../lib/lease-worker.ts';
import { createManageLinks } from './manage-link.ts';
import { removeExpired } from '../process/remove-expired.ts';
import { createDevelopmentTransport } from './development-mailbox.ts';
import { runMailWorker } from './mail-worker.ts';
import { claimEmails, insertReceipt } from './queue.ts';
import { openSmtp, type MailTransport } from './transport.ts';

const api = await startApi({ sandbox: true });
const { db, app, sandboxUrl } = api;
const { token } = await api.createKey();
const mailServer = await startMailServer();
after(mailServer.stop);
const logged: object[] = [];
const log = {
  info: (entry: object, message: string) => logged.push({ ...entry, message }),
  warn: (entry: object, message: string) => logged.push({ ...entry, message }),
};
const baseUrl = 'https://give.example';
const manageLinks = createManageLinks({ secret: 'secret', baseUrl });
const from = 'gifts@give.example';
const running: LeaseWorker[] = [];
const stopWorkers = async () => {
  for (const worker of running.splice(0)) await worker.stop();
};
afterEach(async () => {
  await stopWorkers();
  await db.deleteFrom('mail').execute();
  mailServer.received.length = 0;
});

const start = (transport: MailTransport = openSmtp(mailServer.url)) => {
  const worker = runMailWorker({ db, transport, log, baseUrl, manageLinks, from });
  running.push(worker);
  return worker;
};

/** Makes a donation through the sandbox and waits until it is recorded. */
async function donate(input: object, bearer = token) {
  const email = `${randomUUID()}@example.org`;
  const body = { amount_cents: 2500, donor_email: email, donor_name: 'Ana Ruiz', ...input };
  const response = await api.post('/payment-intents', bearer, body);
  const { payment_intent_id: id, reference } = (await response.json()) as PaymentIntent;
  await stripeAt(sandboxUrl).paymentIntents.confirm(
    id,
    { payment_method: 'pm_card_visa' },
    { stripeAccount: 'acct_harbor_street' },
  );
  const donation = await eventually(() =>
    db
      .selectFrom('donation')
      .select('id')
      .where('processor_payment_intent_id', '=', id)
      .executeTakeFirst(),
  );
  return { id: donation.id, email, reference };
}

const mailOf = (donationId: string) =>
  db.selectFrom('mail').selectAll().where('donation_id', '=', donationId).executeTakeFirstOrThrow();

const finishedMail = (donationId: string) =>
  eventually(async () => {
    const mail = await mailOf(donationId);
    return mail.status === 'pending' ? undefined : mail;
  });

/** Decodes a quoted-printable email. */
const decodedText = (source: string) =>
  Buffer.from(
    source
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString();

describe('a receipt', () => {
  test('is sent once for a donation, with its details', async () => {
    start();
    start(); // A second worker, as in another process.
    const { id, email, reference } = await donate({ fund_id: 'fund_meals' });
    assert.equal((await finishedMail(id)).status, 'sent');
    await insertReceipt(db, 'org_harbor', id).execute();
    // A second mail would be claimed before that of a later donation, and sent before the workers have stopped.
    const later = await donate({});
    assert.equal((await finishedMail(later.id)).status, 'sent');
    await stopWorkers();
    assert.deepEqual(
      mailServer.received.map(({ to }) => to),
      [email, later.email],
    );
    const [mail] = mailServer.received;
    const text = decodedText(mail!.source);
    for (const part of [
      'From: Harbor Street Food Bank <gifts@give.example>',
      'Reply-To: hello@harborstreet.example',
      'Subject: Thank you for your gift of $25.00 to Harbor Street Food Bank',
      'Content-Language: en',
      'Hello Ana Ruiz,',
      '$25.00',
      'Weekend meals for children',
      reference,
      'Harbor Street Food Bank, Inc. · Tax ID 00-0000001',
    ]) {
      assert.ok(text.includes(part), part);
    }
    assert.doesNotMatch(text, /don_|pi_/);
    assert.doesNotMatch(text, /<img|<script|https?:/);
  });

  test('is in the language of the form', async () => {
    start();
    const session = await api.post('/embed-sessions', token, {});
    const { session_token } = (await session.json()) as { session_token: string };
    const { id } = await donate({ metadata: { locale: 'de-AT' } }, session_token);
    await finishedMail(id);
    const text = decodedText(mailServer.received[0]!.source);
    assert.match(text, /Content-Language: de\r\n/);
    assert.ok(text.includes('Ihre Spende von $\u00a025,00'), text);
  });

  test('keeps apart the fee that the donor covered', async () => {
    start();
    const terms = { fee_cover: 'offered' };
    const session = await api.post('/embed-sessions', token, terms);
    const { session_token } = (await session.json()) as { session_token: string };
    const covered = { amount_cents: 5181, fee_cover_cents: 181 };
    const { id } = await donate(covered, session_token);
    await finishedMail(id);
    const text = decodedText(mailServer.received[0]!.source);
    assert.match(
      text,
      /Gift without fee: +\$50\.00\r\nProcessing fee: +\$1\.81\r\nTotal: +\$51\.81\r\n/,
    );
  });

  test('is not created without a recipient address', async () => {
    const { id } = await donate({ donor_email: undefined });
    const mail = await db.selectFrom('mail').where('donation_id', '=', id).select('id').execute();
    assert.deepEqual(mail, []);
  });

  test('is retried after a temporary error of the mail server', async () => {
    mailServer.replies.push('450 busy');
    start();
    const { id } = await donate({});
    const failed = await eventually(async () => {
      const mail = await mailOf(id);
      return mail.last_error ? mail : undefined;
    });
    assert.equal(failed.status, 'pending');
    assert.ok(failed.next_attempt_at! > new Date(Date.now() + 20_000));
    await db.updateTable('mail').set({ next_attempt_at: new Date() }).execute();
    assert.deepEqual((await finishedMail(id)).attempts, 2);
    assert.equal(mailServer.received.length, 1);
  });

  test('fails when the address is rejected, and the log does not contain the address', async () => {
    mailServer.replies.push('550 no such mailbox');
    start();
    const { id, email } = await donate({});
    const { status, attempts } = await finishedMail(id);
    assert.deepEqual({ status, attempts }, { status: 'failed', attempts: 1 });
    assert.doesNotMatch(JSON.stringify([logged, api.logged]), new RegExp(email));
  });

  test('is sent by another worker when a worker dies', async () => {
    const { id } = await donate({});
    // Claims the email like a worker that dies before it sends it.
    await eventually(async () =>
      (await claimEmails(db, 8, 90_000)).length === 1 ? true : undefined,
    );
    await db
      .updateTable('mail')
      .set({ leased_until: new Date(0) })
      .execute();
    start();
    assert.partialDeepStrictEqual(await finishedMail(id), { status: 'sent', attempts: 2 });
    assert.equal(mailServer.received.length, 1);
  });
});

describe('a refund', () => {
  test('is emailed once, with the refunded amount', async () => {
    const { id, email, reference } = await donate({});
    const { processor_payment_intent_id: payment_intent } = await db
      .selectFrom('donation')
      .select('processor_payment_intent_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await db.deleteFrom('mail').execute(); // Removes the receipt of the donation.
    await stripeAt(sandboxUrl).refunds.create(
      { payment_intent: payment_intent!, amount: 1000 },
      { stripeAccount: 'acct_harbor_street' },
    );
    start();
    await eventually(async () => ((await mailOf(id).catch(() => undefined)) ? true : undefined));
    assert.equal((await finishedMail(id)).kind, 'refund');
    const [mail] = mailServer.received;
    assert.equal(mail?.to, email);
    const text = decodedText(mail!.source);
    for (const part of ['Refund of $10.00 from your gift', '$25.00', reference]) {
      assert.ok(text.includes(part), part);
    }
  });
});

describe('/dev/mailbox', () => {
  test('rejects unknown host names', async () => {
    for (const [host, status] of [
      ['localhost', 200],
      ['127.0.0.1:4000', 200],
      ['attacker.example', 403],
      ['localhost.attacker.example', 403],
    ] as const) {
      assert.equal((await app.request(`http://${host}/dev/mailbox`)).status, status, host);
    }
  });

  test('shows sent emails', async () => {
    const { id, email, reference } = await donate({});
    start(createDevelopmentTransport(db));
    await finishedMail(id);
    const list = await (await app.request('/dev/mailbox')).text();
    assert.ok(list.includes(email));
    const mail = await mailOf(id);
    const page = await (await app.request(`/dev/mailbox/${mail.id}`)).text();
    assert.match(page, /Thank you for your gift of \$25\.00 to Harbor Street Food Bank/);
    const htmlResponse = await app.request(`/dev/mailbox/${mail.id}/html`);
    assert.match(htmlResponse.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.ok((await htmlResponse.text()).includes(reference));
  });

  test('shows an email as it was sent, even if its data changes later', async () => {
    const { id } = await donate({});
    start(createDevelopmentTransport(db));
    const { id: mailId } = await finishedMail(id);
    const openMailbox = async () => {
      const pages = [`/dev/mailbox/${mailId}`, `/dev/mailbox/${mailId}/html`];
      return await Promise.all(pages.map(async (path) => (await app.request(path)).text()));
    };
    const mailboxBefore = await openMailbox();
    await db
      .updateTable('donation')
      .set({ donor_name: 'Another Name' })
      .where('id', '=', id)
      .execute();
    await db.updateTable('donation').set({ amount_cents: 999 }).where('id', '=', id).execute();
    await db
      .updateTable('organization')
      .set({ name: 'Renamed', receipt_note: 'New note' })
      .execute();
    assert.deepEqual(await openMailbox(), mailboxBefore);
    assert.match(mailboxBefore[0]!, /\$25\.00/);
  });

  test('lists a pending email without its content', async () => {
    const { id } = await donate({});
    const { id: mailId } = await mailOf(id);
    assert.match(await (await app.request('/dev/mailbox')).text(), /Pending/);
    assert.equal((await app.request(`/dev/mailbox/${mailId}`)).status, 404);
  });

  test('stores nothing when email is sent by SMTP', async () => {
    const { id } = await donate({});
    start();
    await finishedMail(id);
    assert.deepEqual(await db.selectFrom('development_mail').selectAll().execute(), []);
  });

  test('is emptied after 30 days', async () => {
    const { id } = await donate({});
    start(createDevelopmentTransport(db));
    await finishedMail(id);
    await api.pool.query(`update mail set created_at = now() - interval '31 days'`);
    await removeExpired(db);
    assert.deepEqual(await db.selectFrom('development_mail').selectAll().execute(), []);
  });

  for (const [condition, env] of [
    ['in production', { NODE_ENV: 'production', SANDBOX_WEBHOOK_SECRET: 's'.repeat(32) }],
    [
      'if a mail server is configured',
      { SMTP_URL: 'smtp://localhost', MAIL_FROM: 'a@example.org' },
    ],
  ] as const) {
    test(`is not found ${condition}`, async () => {
      const other = await startApi({ env });
      assert.equal((await other.app.request('/dev/mailbox')).status, 404);
    });
  }
});
