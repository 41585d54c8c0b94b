import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LANGUAGES } from '@connect-embed/locales';
import { createManageLinks } from './manage-link.ts';
import { composeEmail } from './compose-email.ts';
import type { MailContext } from './mail-context.ts';
import type { EmailKind } from '../db/column-types.ts';
import { readDocument, readRows, textOf } from '../../test-support/browser/read-document.ts';

const KINDS: EmailKind[] = [
  'receipt',
  'refund',
  'donation_processing',
  'donation_returned',
  'plan_amount',
  'plan_card',
  'plan_paused',
  'plan_resumed',
  'plan_canceled',
  'plan_failed',
  'plan_first_failed',
  'plan_method_lost',
  'plan_link',
];

const options = {
  from: 'gifts@give.example',
  baseUrl: 'https://give.example',
  manageLinks: createManageLinks({ secret: 'secret', baseUrl: 'https://give.example' }),
};

const mailContext = (overrides: Partial<MailContext> = {}): MailContext => ({
  id: 'mail_1',
  kind: 'receipt',
  details: { refunded_cents: 500, before_cents: 100_000, after_cents: 123_456 },
  organization: {
    name: 'Tafel <Nord> & Söhne',
    legal_name: null,
    contact_email: 'hallo@tafel.example',
    website: 'https://tafel.example',
    tax_id: 'DE 12',
    time_zone: 'Asia/Tokyo',
    receipt_note: 'Nothing was given in return.',
    receipt_message: null,
  },
  // This time is after midnight in Tokyo, so the local date is the next day.
  donation: {
    id: 'don_1',
    amount_cents: 123_456,
    fee_cover_cents: 0,
    remaining_amount_cents: 123_456,
    currency: 'eur',
    paid_at: new Date('2026-03-04T20:00:00Z'),
    livemode: true,
  },
  plan: {
    id: 'plan_1',
    amount_cents: 123_456,
    currency: 'eur',
    frequency: 'quarterly',
    status: 'active',
    next_payment_at: new Date('2026-06-04T20:00:00Z'),
    link_epoch: 0,
    livemode: true,
  },
  donor: { name: 'Änne Öz', email: 'a@example.org', locale: 'de-DE' },
  reference: 'K7QM-4XTZ',
  fund_name: 'Brot',
  campaign_name: null,
  ...overrides,
});

/** The context of an email about a SEPA debit that is not of a recurring donation. */
const debit = (kind: 'donation_processing' | 'donation_returned'): MailContext => {
  const { donation: _, plan: __, ...context } = mailContext();
  return {
    ...context,
    kind,
    payment: {
      id: 'pi_1',
      amount_cents: 7_550,
      currency: 'eur',
      status: kind === 'donation_processing' ? 'processing' : 'failed',
      payment_method: 'sepa_debit',
      expected_at: new Date('2026-03-10T20:00:00Z'),
      fund_id: 'fund_bread',
      campaign_id: null,
      form_id: 'form_1',
      form_name: null,
      failure_code: kind === 'donation_processing' ? null : 'insufficient_funds',
      livemode: true,
    },
    giving_page: { server: 'https://server.example', form: 'bread' },
  };
};

const composed = async (overrides?: Partial<MailContext>, context = mailContext()) => {
  const email = await composeEmail({ ...context, ...overrides }, options);
  assert.ok(email);
  return email;
};

const isAboutDebit = (kind: EmailKind): kind is 'donation_processing' | 'donation_returned' =>
  kind === 'donation_processing' || kind === 'donation_returned';

describe('an email', () => {
  test('is formatted for the donor’s locale, with dates in the organization’s time zone', async () => {
    const { text, subject, language, html } = await composed();
    assert.equal(language, 'de');
    assert.equal(subject, 'Danke für Ihre Spende von 1.234,56\u00a0€ an Tafel <Nord> & Söhne');
    for (const part of ['Guten Tag Änne Öz!', '1.234,56', '5. März 2026', '5. Juni 2026', 'Brot']) {
      assert.ok(text.includes(part), part);
    }
    assert.ok(text.includes('vierteljährlich'));
    assert.ok(text.includes('Nothing was given in return.'));
    assert.ok(html.includes('Tafel &lt;Nord&gt; &amp; Söhne'));
    assert.match(
      textOf(readDocument(html), 'body > :first-child')!,
      /^Ihre Spende von .* eingegangen/,
    );
  });

  test('with a receipt states what was returned, and what is left', async () => {
    const { donation } = mailContext();
    const { text } = await composed({ donation: { ...donation!, remaining_amount_cents: 23_456 } });
    assert.match(text, /Spende von 234,56/);
    assert.match(text, /Betrag:? +1\.234,56/);
    assert.match(text, /Zurückgezahlt:? +1\.000,00/);
    assert.match(text, /Verbleibende Spende:? +234,56/);
  });

  test('with a receipt states the total as the gift, and the fee that the donor covered', async () => {
    const { donation } = mailContext();
    const covered = { donation: { ...donation!, fee_cover_cents: 3_456 } };
    const rows: [string, string][] = [
      ['Spende ohne Gebühr', '1.200,00 €'],
      ['Transaktionsgebühr', '34,56 €'],
      ['Gesamtbetrag', '1.234,56 €'],
    ];
    const { text, html, subject } = await composed(covered);
    assert.match(subject, /Spende von 1\.234,56/);
    assert.match(text, /Spende von 1\.234,56/);
    const details = readRows(readDocument(html).querySelector('table table table')!);
    assert.deepEqual(details.slice(0, 3), rows);
    const lines = text.replace(/\s+€/g, ' €').split('\n');
    for (const [name, value] of rows) {
      assert.ok(lines.some((line) => line.startsWith(`${name}: `) && line.endsWith(` ${value}`)));
    }
    assert.doesNotMatch(text, /^Betrag/m);
    const refund = await composed({ ...covered, kind: 'refund' });
    assert.match(refund.text, /^Betrag: +1\.234,56/m);
  });

  test('with a receipt contains the organization’s own sentence', async () => {
    const { organization } = mailContext();
    const receipt_message = 'Kinder <essen>\nsich satt.';
    const own = { organization: { ...organization, receipt_message } };
    const { text, html } = await composed(own);
    assert.ok(text.includes(`\n\n${receipt_message}\n\nBewahren Sie`), text);
    const paragraphs = readDocument(html).querySelectorAll('p[dir="auto"]');
    assert.equal(paragraphs[2]?.innerHTML, 'Kinder &lt;essen&gt;<br>sich satt.');
    const refund = await composed({ ...own, kind: 'refund' });
    assert.ok(!refund.text.includes(receipt_message));
  });

  test('has the organization’s logo and color', async () => {
    const appearance = {
      logo: { path: '/logos/org_1/hash', width: 400, height: 200 },
      accent: { accent_color: '#ffd21f', accent_color_dark: null },
    };
    const { html } = await composed({ appearance });
    const page = readDocument(html);
    const image = page.querySelector('img')!;
    assert.equal(image.getAttribute('src'), 'https://give.example/logos/org_1/hash');
    assert.deepEqual([image.getAttribute('width'), image.getAttribute('height')], ['96', '48']);
    assert.equal(image.getAttribute('alt'), '');
    assert.equal(textOf(page, 'h1'), 'Tafel <Nord> & Söhne');
    assert.match(
      page.querySelector('a')!.getAttribute('style')!,
      /background:#ffd21f;color:#000000/,
    );
    const dark = { ...appearance, accent: { accent_color: '#0a1f44', accent_color_dark: null } };
    const button = readDocument((await composed({ appearance: dark })).html).querySelector('a')!;
    assert.match(button.getAttribute('style')!, /background:#0a1f44;color:#ffffff/);
  });

  test('is not sent as the receipt of a donation of which nothing is left', async () => {
    const { donation } = mailContext();
    const context = mailContext({ donation: { ...donation!, remaining_amount_cents: 0 } });
    assert.equal(await composeEmail(context, options), undefined);
    assert.ok(await composeEmail({ ...context, kind: 'refund' }, options));
  });

  test('contains a manage link for the recurring donation', async () => {
    const { text, html } = await composed();
    const link = /https:\/\/give\.example\/plans\/[\w.-]+/.exec(text)?.[0] ?? '';
    assert.equal(options.manageLinks.verify(link.split('/').at(-1)!)?.planId, 'plan_1');
    assert.ok(readDocument(html).querySelector(`a[href="${link}"]`));
    const ended = await composed({ kind: 'plan_canceled' });
    assert.doesNotMatch(ended.text, /https:/);
  });

  test('is not composed without a recipient address', async () => {
    const donor = { name: null, email: null, locale: null };
    assert.equal(await composeEmail(mailContext({ donor }), options), undefined);
  });

  test('does not allow header injection by a name', async () => {
    const { organization } = mailContext();
    const name = 'Evil\r\nBcc: all@example.org';
    const email = await composed({ organization: { ...organization, name } });
    assert.doesNotMatch(email.subject + email.from.name, /[\r\n]/);
  });

  test('about a debit on its way names the expected date and is no receipt', async () => {
    const { text } = await composed({}, debit('donation_processing'));
    assert.match(text, /Voraussichtlich bis: +11\. März 2026/);
    assert.match(text, /Spende von 75,50/);
    assert.match(text, /Dann schreiben wir Ihnen noch einmal/);
    assert.doesNotMatch(text, /Beleg|eingegangen|Steuernummer|DE 12|Nothing was given in return/);
  });

  test('names in its subject what is refunded, on its way or returned', async () => {
    const refund = await composed({ kind: 'refund' });
    assert.match(refund.subject, /^Erstattung von 5,00\u00a0€ Ihrer Spende an Tafel/);
    const debits = [debit('donation_processing'), debit('donation_returned')];
    for (const context of debits)
      assert.match((await composed({}, context)).subject, /Ihre Spende von 75,50\u00a0€ an Tafel/);
  });

  test('about a debit that has arrived or was returned since is not sent', async () => {
    const context = debit('donation_processing');
    for (const status of ['succeeded', 'failed'] as const) {
      const payment = { ...context.payment!, status };
      assert.equal(await composeEmail({ ...context, payment }, options), undefined);
    }
  });

  test('about a returned debit opens the form with amount and fund', async () => {
    const { text, html } = await composed({}, debit('donation_returned'));
    assert.match(text, /Grund: +Das Konto war nicht gedeckt/);
    assert.match(text, /Ihr Konto wurde nicht belastet/);
    assert.doesNotMatch(text, /Voraussichtlich/);
    const url = 'https://server.example/give/bread?amount=75.50&frequency=one_time&fund=fund_bread';
    assert.ok(text.includes(`Erneut versuchen:\n${url}\n`));
    assert.equal(readDocument(html).querySelector('a')?.getAttribute('href'), url);
    const covered = await composed(
      { details: { fee_cover_cents: 250 } },
      debit('donation_returned'),
    );
    assert.ok(covered.text.includes('?amount=73&'), 'the form adds the fee itself');
    const giving_page = { server: 'https://server.example', form: 'Brot & Suppe' };
    const named = await composed({ giving_page }, debit('donation_returned'));
    assert.match(named.text, /\/give\/Brot%20%26%20Suppe\?amount=75\.50&/);
  });

  test('about a test says first that nobody was charged, and is no receipt to keep', async () => {
    const context = mailContext();
    const { text } = await composed({ donation: { ...context.donation!, livemode: false } });
    assert.match(text, /^Guten Tag Änne Öz!\n\nTest – es wurde kein Geld gespendet\.\n/);
    assert.doesNotMatch(text, /als Beleg/);
    const payment = { ...debit('donation_processing').payment!, livemode: false };
    const underWay = await composed({ payment }, debit('donation_processing'));
    assert.match(underWay.text, /Test – es wurde kein Geld gespendet/);
    assert.doesNotMatch((await composed()).text, /Test –/);
  });

  test('about a returned debit names the website if no page of the form is known', async () => {
    const { giving_page: _, ...context } = debit('donation_returned');
    const { text } = await composed({}, context);
    assert.match(text, /besuchen Sie https:\/\/tafel\.example\./);
    assert.doesNotMatch(text, /\/give\//);
    const organization = { ...context.organization, website: null };
    const other = await composed({ organization }, context);
    assert.match(other.text, /besuchen Sie die Website von Tafel/);
  });

  test('does not repeat the processor’s own words for a failure', async () => {
    const context = debit('donation_returned');
    const payment = { ...context.payment!, failure_code: 'generic_could_not_process' };
    const { text } = await composed({ payment }, context);
    assert.doesNotMatch(text, /Grund|generic/);
  });

  test('about a first payment that was returned says why', async () => {
    const { donation: _, ...context } = mailContext({ kind: 'plan_first_failed' });
    const { text } = await composed({ details: { failure_code: 'account_closed' } }, context);
    assert.match(text, /Grund: +Das Konto ist aufgelöst/);
    const unknown = { failure_code: 'generic_could_not_process' };
    assert.doesNotMatch((await composed({ details: unknown }, context)).text, /Grund|generic/);
  });

  test('about a recurring donation without a payment method asks for another one', async () => {
    for (const kind of ['plan_first_failed', 'plan_method_lost', 'plan_failed'] as const) {
      const { donation: _, ...context } = mailContext({ kind });
      const { text } = await composed({}, context);
      assert.match(text, /Zahlungsart ändern:\nhttps:\/\/give\.example\/plans\//, kind);
    }
  });

  for (const language of LANGUAGES) {
    test(`has all messages in ${language}`, async () => {
      for (const kind of KINDS) {
        const donor = { name: 'Ana', email: 'a@example.org', locale: language };
        const context = isAboutDebit(kind) ? debit(kind) : mailContext({ kind });
        const { subject, text, html } = await composed({ donor }, context);
        assert.doesNotMatch(subject + text, /\{\w+\}|undefined|NaN|\[object/, kind);
        if (!kind.startsWith('plan_')) assert.match(subject, /\p{Nd}/u, `${kind} names the amount`);
        const page = readDocument(html);
        const { lang, dir } = page.documentElement;
        assert.equal(lang, language);
        assert.match(dir, /^(ltr|rtl)$/);
        assert.equal(page.querySelector('img, script, link'), null);
        for (const part of ['url(', 'undefined']) assert.ok(!html.includes(part), part);
      }
    });
  }
});
