import { expect, type FrameLocator, type Locator, type Page } from 'playwright/test';
import type { Addresses } from '../../support/system.ts';
import type { PageMonitor } from './page-monitor.ts';

/** Test cards of the sandbox. */
export const CARDS = {
  good: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  insufficientFunds: '4000 0000 0000 9995',
  authentication: '4000 0025 0000 3155',
} as const;

/** The bank's authentication dialog (3-D Secure) on a page. */
export const bankOf = (page: Page): FrameLocator => page.frameLocator('iframe[src*="authenticat"]');

/** Fills in the fields of the card processor. */
export async function fillCard(card: FrameLocator, number: string = CARDS.good): Promise<void> {
  await card.getByLabel('Card number').fill(number);
  await card.getByLabel('Expiration date').fill('12 / 34');
  await card.getByLabel('Security code').fill('123');
}

/** A donation form, used by labels and roles only, as a donor does. */
export class DonationForm {
  form: Locator;
  card: FrameLocator;

  constructor(form: Locator, card: FrameLocator) {
    this.form = form;
    this.card = card;
  }

  get submitButton(): Locator {
    return this.form.getByRole('button', { name: /^Giv(e|ing)\b[^?]*$/ });
  }

  get thankYouHeading(): Locator {
    return this.form.getByRole('heading', { name: /^Thank you/ });
  }

  async choose(amount: string): Promise<void> {
    await this.form.getByRole('radio', { name: amount, exact: true }).click();
  }

  async fillDonor(donor: { name?: string; email: string }): Promise<void> {
    await this.form.getByLabel(/^Name\b/).fill(donor.name ?? 'Ada Lovelace');
    await this.form.getByLabel(/^Email\b/).fill(donor.email);
  }

  async fillCard(number?: string): Promise<void> {
    await fillCard(this.card, number);
  }

  /** Fills in everything before the submit. */
  async fill(donation: { email: string; amount?: string; card?: string; name?: string }) {
    await this.choose(donation.amount ?? '$50');
    await this.fillDonor(donation);
    await this.fillCard(donation.card);
  }

  async expectThanks(): Promise<void> {
    await expect(this.thankYouHeading).toBeVisible();
  }
}

/** The nonprofit's page. */
export class DonatePage extends DonationForm {
  readonly page: Page;
  readonly message: Locator;
  readonly bank: FrameLocator;
  readonly #system: Addresses;
  readonly #monitor: PageMonitor;

  constructor(page: Page, system: Addresses, watch: PageMonitor) {
    super(
      page.locator('connect-donate').first(),
      page.frameLocator(`connect-donate iframe[src^="${system.sandbox}"]`).first(),
    );
    this.page = page;
    this.#system = system;
    this.#monitor = watch;
    this.bank = bankOf(page);
    this.message = this.form.locator('[part=message]');
  }

  async open(address = this.#system.site): Promise<void> {
    await this.page.goto(address);
    await expect(this.submitButton).toBeVisible();
  }

  /**
   * Payment intent requests that our server accepted. All e2e tests share one IP address, so the
   * server may have required a proof of work first: docs/decisions/0047-card-testing.md
   */
  async intentRequests() {
    const intentRequests = this.#monitor.to(this.#system.server, 'POST', '/payment-intents');
    const statuses = await Promise.all(
      intentRequests.map(async (item) => (await item.response())?.status()),
    );
    return intentRequests.filter((_, at) => statuses[at] !== 200); // 200 is a challenge, 201 an intent.
  }
}
