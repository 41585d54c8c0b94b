import type { Locator } from 'playwright/test';
import { donationsOf } from '../support/donations.ts';
import { openStripe } from '../support/processor.ts';
import { CARDS, type DonatePage } from './support/donate-page.ts';
import { test as base, expect, newEmail } from './support/fixtures.ts';
import {
  createDedicatedOrganization,
  type DedicatedOrganization,
} from './support/dedicated-organization.ts';

/** Donations in currencies with zero or three decimals, in the donors' own scripts. */

interface Fixtures {
  currency: 'jpy' | 'kwd';
  organization: DedicatedOrganization;
}

const test = base.extend<Fixtures>({
  currency: ['jpy', { option: true }],
  organization: async ({ system, page, pages, currency }, use) => {
    const config = 'currencies.config.ts';
    const organization = await createDedicatedOrganization(system, { currency, pages, config });
    await use(organization);
    await page.close(); // The page may still poll the status of its donation.
    await organization.server.close();
  },
});

interface OpenedForm {
  donate: DonatePage;
  organization: DedicatedOrganization;
  pages: string;
}

/** Opens a page with only a form of the organization, in the given language. */
async function open({ donate, organization, pages }: OpenedForm, form: string, locale: string) {
  await donate.page.goto(`${pages}/bare`);
  await donate.page.evaluate(
    (all) => {
      const form = document.createElement('connect-donate');
      for (const [name, value] of Object.entries(all)) form.setAttribute(name, value);
      document.body.append(form);
    },
    { form, locale, server: organization.server.url },
  );
  await expect(submitButton(donate)).toBeVisible();
}

const submitButton = ({ form }: DonatePage) => form.locator('[part=submit-button]');

/** The text of an element without direction marks and with plain spaces. */
const visibleText = async (locator: Locator) =>
  ((await locator.textContent()) ?? '')
    .replace(/[\u200e\u200f\u2066-\u2069]/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();

const expectVisibleText = (locator: Locator, text: string) =>
  expect.poll(() => visibleText(locator)).toContain(text);

/**
 * Fills in everything but the amount, submits, and waits for the thank-you view.
 *
 * @returns the donor's email address
 */
async function completeDonation(donate: DonatePage, amount: string) {
  const email = newEmail();
  await donate.form.locator('#name').fill('Hana Sato');
  await donate.form.locator('#email').fill(email);
  await donate.fillCard(CARDS.good);
  await expectVisibleText(submitButton(donate), amount);
  await submitButton(donate).click();
  await expect(donate.form.locator('.thank-you')).toBeVisible();
  await expectVisibleText(donate.form.locator('.thank-you p').first(), amount);
  await expectVisibleText(donate.form.locator('dl'), amount);
  return email;
}

/** Compares the donation in the API and the charge at the processor, in minor units. */
async function expectDonation(
  { system, account }: DedicatedOrganization,
  email: string,
  expected: object,
) {
  await expect.poll(() => donationsOf(system, email)).toMatchObject([expected]);
  const { data } = await openStripe(system.sandbox).charges.list(
    { limit: 100 },
    { stripeAccount: account },
  );
  const charges = data.filter(
    ({ billing_details, receipt_email }) =>
      billing_details.email === email || receipt_email === email,
  );
  const { amount_cents: amount, currency } = expected as Record<string, unknown>;
  expect(charges).toMatchObject([{ amount, currency, status: 'succeeded' }]);
}

test.describe('yen', () => {
  test.use({ currency: 'jpy' });

  test('have no decimals, for the donor, the API and the card', async ({
    donate,
    organization,
    pages,
  }) => {
    const { form } = donate;
    await open({ donate, organization, pages }, 'yen', 'ja');
    await form.getByRole('radio', { name: '￥3,000' }).click();
    const first = await completeDonation(donate, '￥3,000');
    await expectDonation(organization, first, { amount_cents: 3000, currency: 'jpy' });

    await form.getByRole('button', { name: 'もう一度寄付する' }).click();
    const other = form.locator('#other');
    await other.fill('１２，３４５．５'); // A fraction of a yen, which is invalid.
    await submitButton(donate).click();
    await expect(other).toHaveAttribute('aria-invalid', 'true');
    await other.fill('１２，３４５円');
    await form.getByRole('checkbox').check();
    await expectVisibleText(form.locator('#coverFee'), '￥400');
    await expectVisibleText(form.locator('#fee-total'), '￥12,345 + ￥400 = ￥12,745');
    const second = await completeDonation(donate, '￥12,745');
    await expectDonation(organization, second, { amount_cents: 12_745, currency: 'jpy' });
  });
});

test.describe('Kuwaiti dinars', () => {
  test.use({ currency: 'kwd' });

  test('have three decimals, of which the last is zero', async ({
    donate,
    organization,
    pages,
  }) => {
    const { form } = donate;
    await open({ donate, organization, pages }, 'dinar', 'ar-KW');
    await form.getByRole('radio', { name: /١٠/ }).click();
    const first = await completeDonation(donate, '١٠ د.ك.');
    await expectDonation(organization, first, { amount_cents: 10_000, currency: 'kwd' });

    await form.getByRole('button', { name: 'التبرع مرة أخرى' }).click();
    const other = form.locator('#other');
    await other.fill('٧٫٢٥٥'); // The processor requires multiples of ten fils.
    await submitButton(donate).click();
    await expect(other).toHaveAttribute('aria-invalid', 'true');
    await other.fill('٧٫٢٥');
    await form.getByRole('checkbox').check();
    await expectVisibleText(form.locator('#coverFee'), '٠٫٣٢٠ د.ك.');
    await expectVisibleText(form.locator('#fee-total'), '٧٫٢٥٠ د.ك. + ٠٫٣٢٠ د.ك. = ٧٫٥٧٠ د.ك.');
    const second = await completeDonation(donate, '٧٫٥٧٠ د.ك.');
    await expectDonation(organization, second, { amount_cents: 7570, currency: 'kwd' });
  });
});
