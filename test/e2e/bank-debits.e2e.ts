import type { FrameLocator, Page } from 'playwright/test';
import { donationsOf } from '../support/donations.ts';
import { createProcessorClient } from '../support/processor.ts';
import { Dashboard, OWNER } from './support/dashboard-pages.ts';
import { createOrganization, startServerOf } from './support/dedicated-organization.ts';
import { fillCard } from './support/donate-page.ts';
import { test as base, expect, newEmail } from './support/fixtures.ts';
import { openEmailTo } from './support/mailbox.ts';
import {
  AMOUNT_CENTS,
  expectDonation,
  expectNoDonation,
  expectOnItsWay,
  openViews,
  type PaymentViews,
} from './support/payment-views.ts';
import { runCommand } from './support/run-command.ts';

/**
 * Donations by bank debit and PayPal, from the form to the last email: docs/decisions/0124-money-that-arrives-later.md
 *
 * Each journey compares form, table, goal, dashboard, mailbox and webhook.
 */

interface Fixtures {
  currency: 'eur' | 'usd';
  /** Where the payments of a new organization are seen besides its form. */
  views: PaymentViews;
  form: DebitForm;
}

const test = base.extend<Fixtures>({
  currency: ['eur', { option: true }],
  views: async ({ system, context, pages, currency }, use) => {
    const created = await createOrganization(system, currency);
    const { organization_id, api_base } = created.system;
    await runCommand('people', 'join', OWNER, '--organization', organization_id, '--role', 'owner');
    const tab = await context.newPage();
    const dashboard = new Dashboard(tab, new URL(api_base).origin, organization_id);
    const campaignId = await createCampaign(dashboard);
    const env = { CAMPAIGN_ID: campaignId };
    const server = await startServerOf(created, { pages, config: 'bank-debits.config.ts', env });
    const organization = { ...created, server };
    const views = await openViews(organization, { dashboard, campaignId, currency, pages });
    await use(views);
    await context.close(); // A page may still poll the status of its donation.
    await views.receiver.close();
    await server.close();
  },
  form: async ({ views, page, pages }, use) => {
    await use(await DebitForm.open(page, pages, views));
  },
});

// One after another: each advances the time of the sandbox, which settles the debits of all.
test.describe.configure({ mode: 'default' });

const NAME = 'Ines Debit';
const ON_ITS_WAY = /is on its way/;
const THANKS = /^Thank you for your gift/;

/** Creates a campaign in the dashboard, as its owner. */
async function createCampaign(dashboard: Dashboard): Promise<string> {
  await dashboard.signIn();
  await dashboard.open('/campaigns/new');
  const { page } = dashboard;
  const name = 'Ovens for the kitchen';
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Goal').fill('100');
  await page.getByRole('button', { name: 'Create campaign' }).click();
  const address = await page.getByRole('link', { name }).getAttribute('href');
  return address!.split('/').at(-1)!;
}

/** The form of the organization, whose frame offers several payment methods. */
class DebitForm {
  readonly page: Page;
  readonly frame: FrameLocator;

  private constructor(page: Page, sandbox: string) {
    this.page = page;
    this.frame = page.frameLocator(`connect-donate iframe[src^="${sandbox}"]`).first();
  }

  static async open(page: Page, pages: string, { organization }: PaymentViews) {
    const { server, system } = organization;
    const code = `<script type="module" src="${server.url}/connect.js"></script>
      <connect-donate></connect-donate>`;
    await page.goto(`${pages}/pasted?${new URLSearchParams({ code }).toString()}`);
    return new DebitForm(page, system.sandbox);
  }

  async fillDonor(email: string) {
    await this.page.getByLabel(/^Name\b/).fill(NAME);
    await this.page.getByLabel(/^Email\b/).fill(email);
  }

  async fillIban(iban: string) {
    await this.frame.getByRole('radio', { name: 'SEPA debit' }).check();
    await this.frame.getByLabel('IBAN').fill(iban);
  }

  async submit() {
    await this.page.locator('connect-donate [part=submit-button]').click();
  }

  async expectOnItsWay() {
    await expect(this.page.getByRole('heading', { name: 'Your gift is on its way' })).toBeVisible();
  }
}

/** Advances the time of the sandbox, so that a bank decides about a debit. */
async function advance({ organization }: PaymentViews, seconds: number) {
  const response = await fetch(`${organization.system.sandbox}/sandbox/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ seconds }),
  });
  expect(response.status).toBe(200);
}

/** Enters a bank account on the page for another payment method of a plan, which knows the donor already. */
async function submitBankAccount({ mailbox, organization }: PaymentViews, accountNumber: string) {
  const frame = mailbox.frameLocator(`#card iframe[src^="${organization.system.sandbox}"]`).first();
  await frame.getByRole('radio', { name: 'US bank account' }).check();
  await frame.getByLabel('Routing number').fill('110000000');
  await expect(frame.getByRole('textbox')).toHaveCount(2);
  await expect(mailbox.getByText('Your bank takes about 4 business days')).toBeVisible();
  await frame.getByLabel('Account number').fill(accountNumber);
  await mailbox.getByRole('button', { name: 'Save payment method' }).click();
}

async function changeToBankAccount(views: PaymentViews) {
  await submitBankAccount(views, '000123456789');
  await expect(views.mailbox.getByText('Bank account •••• 6789')).toBeVisible();
}

test('a donation arrives although the donor closes the browser after confirming', async ({
  form,
  context,
  page,
  pages,
  views,
}) => {
  const payment = { email: newEmail(), name: NAME };
  await form.fillDonor(payment.email);
  await form.fillIban('AT321904300235473204');
  const confirmed = page.waitForResponse((response) => response.url().includes('/confirm'));
  await form.submit();
  await confirmed;
  await page.close();
  await expectOnItsWay(views, { ...payment, emails: [ON_ITS_WAY] });

  await advance(views, 181);
  const emails = [THANKS, ON_ITS_WAY];
  await expectDonation(views, { ...payment, method: 'sepa_debit', emails });
  const { page: nextVisit } = await DebitForm.open(await context.newPage(), pages, views);
  await expect(nextVisit.getByLabel(/^Email\b/)).toHaveValue('');
});

test('a SEPA donation that the bank returns can be tried again', async ({ form, page, views }) => {
  const payment = { email: newEmail(), name: NAME };
  await form.fillDonor(payment.email);
  await form.fillIban('AT051904300235473205');
  const hint = page.getByRole('form').getByText('Your bank takes about 5 business days');
  await expect(hint).toBeVisible();
  await form.submit();
  await form.expectOnItsWay();
  await expect(page.getByText('Your receipt will be sent to')).toBeVisible();
  await expectOnItsWay(views, { ...payment, emails: [ON_ITS_WAY] });

  await advance(views, 181);
  const returned = /Your bank did not complete your gift/;
  await expectNoDonation(views, { ...payment, emails: [returned, ON_ITS_WAY] });
  const { organization, mailbox, dashboard } = views;
  await dashboard.open('/donations/on-their-way');
  const row = dashboard.page.getByRole('row', { name: NAME });
  await expect(row).toContainText('Debit not authorized');
  const text = await openEmailTo(mailbox, organization.system, payment.email, returned);
  expect(text).toContain('You were not charged');
  await page.getByRole('button', { name: 'Make another gift' }).click();
  await expect(page.getByLabel(/^Email\b/)).toBeVisible();
});

test('PayPal asks for a confirmation on its own page, and returns', async ({
  form,
  page,
  views,
}) => {
  const payment = { email: newEmail(), name: NAME };
  await form.fillDonor(payment.email);
  await form.frame.getByRole('radio', { name: 'PayPal' }).check();
  await form.submit();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(
    page.getByText('The payment did not go through, and you were not charged'),
  ).toBeVisible();
  await expect(page.getByLabel(/^Email\b/)).toHaveValue(payment.email);
  await expectNoDonation(views, { ...payment, emails: [] });

  await form.frame.getByRole('radio', { name: 'PayPal' }).check();
  await form.submit();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('heading', { name: /^Thank you/ })).toBeVisible();
  await expectDonation(views, { ...payment, method: 'paypal', emails: [THANKS] });
});

test.describe('in dollars', () => {
  test.use({ currency: 'usd' });

  test('a monthly ACH donation whose first debit fails needs attention', async ({
    form,
    page,
    views,
  }) => {
    const payment = { email: newEmail(), name: NAME };
    await page.getByRole('radio', { name: 'Monthly' }).check();
    await form.fillDonor(payment.email);
    await form.frame.getByRole('radio', { name: 'US bank account' }).check();
    await form.frame.getByLabel('Routing number').fill('110000000');
    await form.frame.getByLabel('Account number').fill('000111111113');
    await form.submit();
    await form.expectOnItsWay();

    const notStarted = /has not started/;
    await expectNoDonation(views, { ...payment, emails: [notStarted] });
    const { organization, mailbox, dashboard } = views;
    await dashboard.open('');
    await expect(dashboard.page.getByText('recurring donation whose payment failed')).toBeVisible();
    const text = await openEmailTo(mailbox, organization.system, payment.email, notStarted);
    await mailbox.goto(/http\S+\/plans\/\S+/.exec(text)![0]);
    await mailbox.getByRole('link', { name: 'Change payment method' }).click();
    await expect(mailbox.getByText('Your last payment failed')).toBeVisible();
    await changeToBankAccount(views);
    const expected = { amount_cents: AMOUNT_CENTS, payment_method: 'us_bank_account' };
    await expect
      .poll(() => donationsOf(organization.system, payment.email))
      .toMatchObject([expected]);
  });

  test('a monthly donation by card can be changed to a bank account', async ({
    form,
    page,
    views,
    monitor,
  }) => {
    const email = newEmail();
    await page.getByRole('radio', { name: 'Monthly' }).check();
    await form.fillDonor(email);
    await fillCard(form.frame);
    await form.submit();
    await expect(page.getByRole('heading', { name: /^Thank you/ })).toBeVisible();

    const { organization, mailbox } = views;
    const { subscriptionMethods } = createProcessorClient(organization.system);
    const receipt = await openEmailTo(mailbox, organization.system, email, THANKS);
    await mailbox.goto(/http\S+\/plans\/\S+/.exec(receipt)![0]);
    await expect(mailbox.getByText('Visa •••• 4242')).toBeVisible();
    expect(await subscriptionMethods(organization.account)).toEqual(['card']);

    await mailbox.getByRole('link', { name: 'Change payment method' }).click();
    await expect(mailbox.getByText('Your next gift will be paid this way')).toBeVisible();
    // Stripe's error about an account that is not one of its test accounts is English, for developers.
    monitor.allowErrors(/status of 400 .*\/setup_intents\//);
    await submitBankAccount(views, '000999999999');
    await expect(mailbox.getByRole('alert')).toHaveText(/^Your change was not saved/);
    await changeToBankAccount(views);
    expect(await subscriptionMethods(organization.account)).toEqual(['us_bank_account']);
  });
});
