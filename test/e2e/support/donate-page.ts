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

/** The nonprofit's page, used by labels and roles only, as a donor does. */
export class DonatePage {
  readonly page: Page;
  readonly form: Locator;
  readonly submitButton: Locator;
  readonly card: FrameLocator;
  readonly message: Locator;
  readonly bank: FrameLocator;
  readonly #system: Addresses;
  readonly #monitor: PageMonitor;

  constructor(page: Page, system: Addresses, watch: PageMonitor) {
    this.page = page;
    this.#system = system;
    this.#monitor = watch;
    this.form = page.locator('connect-donate').first();
    this.submitButton = this.form.getByRole('button', { name: /^Giv(e|ing)\b[^?]*$/ });
    this.card = page.frameLocator(`connect-donate iframe[src^="${system.sandbox}"]`).first();
    this.bank = bankOf(page);
    this.message = this.form.locator('[part=message]');
  }

  async open(address = this.#system.site): Promise<void> {
    await this.page.goto(address);
    await expect(this.submitButton).toBeVisible();
  }

  async fillDonor(donor: { name?: string; email: string }): Promise<void> {
    await this.form.getByLabel(/^Name\b/).fill(donor.name ?? 'Ada Lovelace');
    await this.form.getByLabel(/^Email\b/).fill(donor.email);
  }

  async choose(amount: string): Promise<void> {
    await this.form.getByRole('radio', { name: amount, exact: true }).click();
  }

  async fillCard(number: string): Promise<void> {
    await this.card.getByLabel('Card number').fill(number);
    await this.card.getByLabel('Expiration date').fill('12 / 34');
    await this.card.getByLabel('Security code').fill('123');
  }

  /** Fills in everything before the submit. */
  async fill(donation: { email: string; amount?: string; card?: string; name?: string }) {
    await this.choose(donation.amount ?? '$50');
    await this.fillDonor(donation);
    await this.fillCard(donation.card ?? CARDS.good);
  }

  async expectThanks(): Promise<void> {
    await expect(this.form.getByRole('heading', { name: /^Thank you/ })).toBeVisible();
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
