import type { List, ProcessingPayment, WebhookDelivery } from '@connect-embed/contract';
import type { FrameLocator, Page } from 'playwright/test';
import { createWebhookEndpoint, donationsOf } from '../support/donations.ts';
import {
  createDedicatedOrganization,
  type DedicatedOrganization,
} from './support/dedicated-organization.ts';
import { Dashboard } from './support/dashboard-pages.ts';
import { test as base, expect, newEmail, PLATFORM_PORT_VARIABLE } from './support/fixtures.ts';
import { openEmailTo } from './support/mailbox.ts';
import { runCommand } from './support/run-command.ts';
import { callApi } from './tables/call-api.ts';

/**
 * Donations by bank debit and PayPal, from the form to the last email: docs/decisions/0124-money-that-arrives-later.md
 */

const OWNER = 'owner@harborstreet.example';

interface Fixtures {
  currency: 'eur' | 'usd';
  organization: DedicatedOrganization;
  form: DebitForm;
}

const test = base.extend<Fixtures>({
  currency: ['eur', { option: true }],
  organization: async ({ system, page, pages, currency }, use) => {
    const config = 'bank-debits.config.ts';
    const organization = await createDedicatedOrganization(system, { currency, pages, config });
    const { organization_id } = organization.system;
    await runCommand('people', 'join', OWNER, '--organization', organization_id, '--role', 'owner');
    // The owner's page of payments reads from Stripe which payment methods the account may use.
    const dashboard = await openDashboard(page, organization);
    await dashboard.open('/payments');
    await expect(dashboard.page.getByRole('heading', { name: 'Payment methods' })).toBeVisible();
    await dashboard.page.close();
    await use(organization);
    await page.close(); // The page may still poll the status of its donation.
    await organization.server.close();
  },
  form: async ({ organization, page, pages }, use) => {
    await use(await DebitForm.open(page, pages, organization));
  },
});

// One after another: each advances the time of the sandbox, which settles the debits of all.
test.describe.configure({ mode: 'default' });

/** The form of the organization, whose frame offers several payment methods. */
class DebitForm {
  readonly page: Page;
  readonly frame: FrameLocator;

  private constructor(page: Page, sandbox: string) {
    this.page = page;
    this.frame = page.frameLocator(`connect-donate iframe[src^="${sandbox}"]`).first();
  }

  static async open(page: Page, pages: string, { server, system }: DedicatedOrganization) {
    const code = `<script type="module" src="${server.url}/connect.js"></script>
      <connect-donate></connect-donate>`;
    await page.goto(`${pages}/pasted?${new URLSearchParams({ code }).toString()}`);
    const form = new DebitForm(page, system.sandbox);
    await expect(form.submitButton).toBeVisible();
    return form;
  }

  get submitButton() {
    return this.page.locator('connect-donate [part=submit-button]');
  }

  async fillDonor(email: string) {
    await this.page.getByLabel(/^Name\b/).fill('Ines Debit');
    await this.page.getByLabel(/^Email\b/).fill(email);
  }

  async fillIban(iban: string) {
    await this.frame.getByRole('radio', { name: 'SEPA debit' }).check();
    await this.frame.getByLabel('IBAN').fill(iban);
  }

  async submit() {
    await this.submitButton.click();
  }
}

const processingOf = async ({ system }: DedicatedOrganization, email: string) =>
  (
    await callApi<List<ProcessingPayment>>(system, '/payment-intents?status=processing')
  ).data.filter(({ donor_email }) => donor_email === email);

/** Advances the time of the sandbox, so that a bank decides about a debit. */
async function advance({ system }: DedicatedOrganization, seconds: number) {
  const response = await fetch(`${system.sandbox}/sandbox/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ seconds }),
  });
  expect(response.status).toBe(200);
}

/** Subscribes to events, and returns a function that returns the types of those that were sent. */
async function subscribe({ system }: DedicatedOrganization) {
  const url = `http://localhost:${process.env[PLATFORM_PORT_VARIABLE]}/events-of-debits`;
  const { id } = await createWebhookEndpoint(system, url);
  return async () => {
    const { data } = await callApi<List<WebhookDelivery>>(system, `/webhooks/${id}/deliveries`);
    return data.map(({ event_type }) => event_type);
  };
}

/** Opens the dashboard of the organization in another tab. */
async function openDashboard(page: Page, { system }: DedicatedOrganization) {
  const tab = await page.context().newPage();
  const dashboard = new Dashboard(tab, new URL(system.api_base).origin, system.organization_id);
  await dashboard.signIn();
  return dashboard;
}

test('a SEPA donation is on its way, and arrives after three minutes', async ({
  form,
  organization,
  page,
}) => {
  const email = newEmail();
  const events = await subscribe(organization);
  await form.fillDonor(email);
  await form.fillIban('AT321904300235473204');
  const hint = page.getByRole('form').getByText('Your bank takes about 5 business days');
  await expect(hint).toBeVisible();
  await form.submit();
  await expect(page.getByRole('heading', { name: 'Your gift is on its way' })).toBeVisible();
  await expect(page.getByText('Your receipt will be sent to')).toBeVisible();
  await expect.poll(() => processingOf(organization, email)).toHaveLength(1);
  const [payment] = await processingOf(organization, email);
  expect(payment).toMatchObject({ amount_cents: 5000, payment_method: 'sepa_debit' });
  expect(await donationsOf(organization.system, email)).toEqual([]);
  expect(await events()).toEqual([]);

  const tab = await page.context().newPage();
  const announcement = await openEmailTo(tab, organization.system, email, /is on its way/);
  expect(announcement).toContain('€50.00');
  const dashboard = await openDashboard(page, organization);
  await dashboard.open('/donations');
  await expect(dashboard.page.getByText('Ines Debit').first()).toBeVisible();
  await expect(dashboard.page.getByRole('heading', { name: /on their way/i })).toBeVisible();

  await advance(organization, 181);
  await expect
    .poll(() => donationsOf(organization.system, email))
    .toMatchObject([{ amount_cents: 5000, currency: 'eur', payment_method: 'sepa_debit' }]);
  expect(await processingOf(organization, email)).toEqual([]);
  await expect.poll(events).toEqual(['donation.created']);
  await openEmailTo(tab, organization.system, email, /Thank you for your gift/);
});

test('a SEPA donation that the bank returns can be tried again', async ({
  form,
  organization,
  page,
}) => {
  const email = newEmail();
  await form.fillDonor(email);
  await form.fillIban('AT051904300235473205');
  await form.submit();
  await expect(page.getByRole('heading', { name: 'Your gift is on its way' })).toBeVisible();
  await expect.poll(() => processingOf(organization, email)).toHaveLength(1);
  await page.close({ runBeforeUnload: false }); // The donor does not wait.

  await advance(organization, 181);
  await expect.poll(() => processingOf(organization, email)).toEqual([]);
  const tab = await page.context().newPage();
  const text = await openEmailTo(tab, organization.system, email, /Your bank returned your gift/);
  expect(text).toContain('You were not charged');
  expect(await donationsOf(organization.system, email)).toEqual([]);
  const dashboard = await openDashboard(page, organization);
  await dashboard.open('/donations/on-their-way');
  await expect(dashboard.page.getByRole('row', { name: /Ines Debit/ })).toBeVisible();
});

test('PayPal asks for a confirmation on its own page, and returns', async ({
  form,
  organization,
  page,
}) => {
  const canceled = newEmail();
  await form.fillDonor(canceled);
  await form.frame.getByRole('radio', { name: 'PayPal' }).check();
  await form.submit();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(
    page.getByText('The payment did not go through, and you were not charged'),
  ).toBeVisible();
  await expect(page.getByLabel(/^Email\b/)).toHaveValue(canceled);

  await form.frame.getByRole('radio', { name: 'PayPal' }).check();
  await form.submit();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('heading', { name: /^Thank you/ })).toBeVisible();
  await expect
    .poll(() => donationsOf(organization.system, canceled))
    .toMatchObject([{ payment_method: 'paypal' }]);
});

test.describe('in dollars', () => {
  test.use({ currency: 'usd' });

  test('a monthly ACH donation whose first debit fails needs attention', async ({
    form,
    organization,
    page,
  }) => {
    const email = newEmail();
    await page.getByRole('radio', { name: 'Monthly' }).check();
    await form.fillDonor(email);
    await form.frame.getByRole('radio', { name: 'US bank account' }).check();
    await form.frame.getByLabel('Routing number').fill('110000000');
    await form.frame.getByLabel('Account number').fill('000111111113');
    await form.submit();
    await expect(page.getByRole('heading', { name: 'Your gift is on its way' })).toBeVisible();

    const tab = await page.context().newPage();
    const text = await openEmailTo(tab, organization.system, email, /has not started/);
    expect(await donationsOf(organization.system, email)).toEqual([]);
    const dashboard = await openDashboard(page, organization);
    await dashboard.open('');
    await expect(dashboard.page.getByText('recurring donation whose payment failed')).toBeVisible();

    await tab.goto(/http\S+\/plans\/\S+/.exec(text)![0]);
    await expect(tab.getByText('Change payment method').first()).toBeVisible();
  });
});
