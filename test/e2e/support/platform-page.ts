import { expect, type Locator, type Page } from 'playwright/test';
import type { Addresses } from '../../support/system.ts';

/** The platform's page with three tables, which requires signing in. */
export class PlatformPage {
  readonly page: Page;
  readonly donations: Locator;
  readonly donors: Locator;
  readonly payouts: Locator;
  readonly #system: Addresses;

  constructor(page: Page, system: Addresses) {
    this.page = page;
    this.#system = system;
    this.donations = page.locator('connect-donations');
    this.donors = page.locator('connect-donors');
    this.payouts = page.locator('connect-payouts');
  }

  async open(): Promise<void> {
    await this.page.goto(`${this.#system.site}/platform/`);
    await this.signIn();
    await expect(this.donations.locator('tr[data-id]').first()).toBeVisible();
  }

  async signIn(): Promise<void> {
    const button = this.page.getByRole('button', { name: /sign in/i });
    await expect(button.or(this.donations)).toBeVisible();
    if (await button.isVisible()) await button.click();
  }
}
