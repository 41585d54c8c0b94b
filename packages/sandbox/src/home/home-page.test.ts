/** Tests of the sandbox's front page in a real browser without scripts. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Browser, type Page, chromium } from 'playwright';
import { createClient, startTestSandbox } from '../../test-support/start-sandbox.ts';
import { ACH, IBAN, bankDebitsAt, sepa } from '../../test-support/bank-debits.ts';
import { CHROME, skip } from '../../test-support/card-form-page.ts';
import { intentOf, recurringDonationsAt } from '../../test-support/recurring.ts';

describe('the front page', { skip }, async () => {
  const { url } = await startTestSandbox();
  const stripe = createClient(url);
  let browser: Browser;
  let page: Page;

  before(async () => {
    const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
    browser = await chromium.launch({ executablePath: CHROME, args });
    page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  });
  after(() => browser.close());

  const pay = (amount: number) =>
    stripe.paymentIntents.create({
      amount,
      currency: 'usd',
      confirm: true,
      payment_method: 'pm_card_visa',
    });

  test('refunds and disputes a payment', async () => {
    const [refunded, disputed] = [await pay(1100), await pay(2200)];
    await page.goto(url);
    await page.getByRole('button', { name: 'Refund: $11.00' }).click();
    await page.getByText('Refunded', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Dispute: $22.00' }).click();
    await page.getByRole('button', { name: 'Won: $22.00' }).click();
    await page.locator('[data-status="won"]').waitFor();
    const back = await stripe.charges.retrieve(String(refunded.latest_charge));
    assert.equal(back.refunded, true);
    const { data } = await stripe.disputes.list({ payment_intent: disputed.id });
    assert.equal(data[0]?.status, 'won');
  });

  test('advances the time, and makes a renewal fail', async () => {
    const { id } = await (await recurringDonationsAt(url)).paid();
    await page.goto(url);
    await page.getByRole('button', { name: 'Fail next payment: ada@example.org' }).click();
    await page.getByText('Will fail').waitFor();
    await page.getByRole('button', { name: 'A month later' }).click();
    await page.getByRole('button', { name: 'A day later' }).click();
    await page.locator('[data-status="past_due"]').waitFor();
    assert.equal((await stripe.subscriptions.retrieve(id)).status, 'past_due');
    const screenshotPath = process.env['SANDBOX_SCREENSHOT'];
    if (screenshotPath) await page.screenshot({ path: screenshotPath, fullPage: true });
  });

  test('lists bank accounts to try, and shows a debit until the bank has decided', async () => {
    const { createIntent, confirmDebit } = bankDebitsAt(url);
    await confirmDebit(await createIntent('sepa_debit', { amount: 3300 }), sepa(IBAN.failsLate));
    await page.goto(url);
    const table = page.getByRole('group', { name: /^Try bank debits/ });
    const row = table.getByRole('row', { name: /AT05 1904 3002 3547 3205/ });
    await row.getByText('Fails after three minutes').waitFor();
    await page.getByRole('row', { name: /€33\.00.*Processing/ }).waitFor();
    await page.getByRole('button', { name: 'A day later' }).click();
    await page.getByRole('row', { name: /€33\.00.*unauthorized/ }).waitFor();
  });

  test('ends the mandate of a monthly debit', async () => {
    const { createSubscription } = await recurringDonationsAt(url, 'grace@example.org');
    const { confirmDebit, settled } = bankDebitsAt(url);
    const { latest_invoice } = await createSubscription({
      payment_settings: {
        payment_method_types: ['us_bank_account'],
        save_default_payment_method: 'on_subscription',
      },
    });
    const intent = intentOf(latest_invoice);
    await confirmDebit(intent, ACH);
    await settled(intent.id);
    await page.goto(url);
    const button = page.getByRole('button', { name: 'End mandate: grace@example.org' });
    await button.click();
    await page.getByText('mandate.updated').waitFor();
    assert.equal(await button.count(), 0);
  });

  test('rejects forms of another site', async () => {
    const response = await fetch(`${url}/sandbox/clock`, {
      method: 'POST',
      headers: { origin: 'https://elsewhere.example' },
      body: new URLSearchParams({ advance: 'year' }),
    });
    assert.equal(response.status, 403);
  });
});
