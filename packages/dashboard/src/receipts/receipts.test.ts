import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { textOf } from '@connect-embed/api/test-support/browser/read-document';
import { OWNER, startOauth, VOLUNTEER } from '@connect-embed/api/test-support/app/start-oauth';

const { api, visitor } = await startOauth();
const RECEIPTS = '/dashboard/org_harbor/receipts';
const VALID_SETTINGS = {
  legal_name: 'Harbor Street, Inc.',
  tax_id: '12-3456789',
  contact_email: 'thanks@harborstreet.example',
  time_zone: 'Asia/Tokyo',
  receipt_message: 'Children <eat>\nbecause of you.',
  receipt_note: 'Nothing <was> given\nin return.',
};

describe('Receipts', () => {
  test('show the saved settings in a sample receipt', async () => {
    const person = visitor();
    await person.openAs(OWNER, RECEIPTS);
    const saved = await person.post(RECEIPTS, VALID_SETTINGS);
    assert.match(saved.text, /Receipt settings saved/);
    assert.match(
      saved.text,
      /Gift without fee: +\$50\.00\nProcessing fee: +\$1\.81\nTotal: +\$51\.81\n/,
    );
    assert.match(saved.text, /Thank you\.\n\nChildren &lt;eat&gt;\nbecause of you\.\n/);
    assert.match(
      saved.text,
      /Nothing &lt;was&gt; given\nin return\.\nHarbor Street, Inc\. · Tax ID/,
    );
    const row = await api.db
      .selectFrom('organization')
      .selectAll()
      .where('id', '=', 'org_harbor')
      .executeTakeFirstOrThrow();
    assert.partialDeepStrictEqual(row, VALID_SETTINGS);
  });

  test('show a sample as mail programs do', async () => {
    const person = visitor();
    const page = await person.openAs(OWNER, RECEIPTS);
    const link = page.document.querySelector(`a[href="${RECEIPTS}/sample"]`);
    assert.ok(link);
    const sample = await person.open(`${RECEIPTS}/sample`);
    assert.match(sample.headers.get('content-security-policy') ?? '', /img-src 'self'/);
    assert.equal(textOf(sample.document, 'h1'), 'Harbor Street Food Bank');
    assert.equal((await visitor().openAs(VOLUNTEER, `${RECEIPTS}/sample`)).status, 403);
  });

  test('keep a saved time zone with a former name', async () => {
    const person = visitor();
    await person.openAs(OWNER, RECEIPTS);
    const saved = await person.post(RECEIPTS, { ...VALID_SETTINGS, time_zone: 'US/Pacific' });
    assert.ok(saved.document.querySelector('option[value="US/Pacific"][selected]'));
  });

  for (const [description, change] of [
    ['no time zone', { time_zone: 'Mars/Olympus' }],
    ['an offset from UTC', { time_zone: '+05:30' }],
    ['no address', { contact_email: 'nobody' }],
    ['a line that is too long', { receipt_note: 'x'.repeat(501) }],
    ['a sentence that is too long', { receipt_message: 'x'.repeat(301) }],
  ] as const) {
    test(`reject ${description} and keep the typed values`, async () => {
      const person = visitor();
      await person.openAs(OWNER, RECEIPTS);
      const response = await person.post(RECEIPTS, {
        ...VALID_SETTINGS,
        legal_name: 'Typed',
        ...change,
      });
      assert.equal(response.status, 400);
      assert.ok(response.document.querySelector('[value="Typed"]'));
    });
  }

  test('require an owner or admin', async () => {
    assert.equal((await visitor().openAs(VOLUNTEER, RECEIPTS)).status, 403);
  });
});
