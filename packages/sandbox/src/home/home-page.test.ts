/** Tests of the sandbox's front page in a real browser without scripts. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Browser, type Page, chromium } from 'playwright';
import {
  createClient,
  confirmInBrowser,
  startTestSandbox,
} from '../../test-support/start-sandbox.ts';
import { IBAN, bankDebitsAt, sepa } from '../../test-support/bank-debits.ts';
import { CHROME, skip } from '../../test-support/card-form-page.ts';
import { recurringDonationsAt } from '../../test-support/recurring.ts';

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
    const customer = await stripe.customers.create({ email: 'ada@example.org' });
    const product = await stripe.products.create({ name: 'Donation' });
    const recurring = { interval: 'month' } as const;
    const price_data = { currency: 'usd', product: product.id, unit_amount: 900, recurring };
    const { id, latest_invoice } = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price_data }],
      payment_behavior: 'default_incomplete',
      payment_settings: { save_default_payment_method: 'on_subscription' },
      expand: ['latest_invoice.payments', 'latest_invoice.confirmation_secret'],
    });
    assert.ok(latest_invoice && typeof latest_invoice === 'object');
    await confirmInBrowser(
      url,
      {
        id: String(latest_invoice.payments?.data[0]?.payment.payment_intent),
        client_secret: latest_invoice.confirmation_secret?.client_secret ?? null,
      },
      '4242424242424242',
    );
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
    const { createSubscription } = recurringDonationsAt(url);
    const customer = await stripe.customers.create({ email: 'grace@example.org' });
    const method = await stripe.paymentMethods.attach('pm_usBankAccount_success', {
      customer: customer.id,
    });
    await createSubscription(customer.id, {
      default_payment_method: method.id,
      payment_behavior: 'allow_incomplete',
    });
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
