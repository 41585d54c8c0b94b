import { expect, type FrameLocator, type Locator, type Page } from 'playwright/test';
import type { Addresses } from '../../support/system.ts';
import { DonationForm } from '../support/donate-page.ts';
import { newEmail } from '../support/fixtures.ts';

/** A donor on a host page: finds the form by labels and roles, wherever the page has put it. */
export class HostDonationPage extends DonationForm {
  readonly page: Page;
  readonly system: Addresses;
  readonly email = newEmail();

  constructor(page: Page, system: Addresses) {
    super(page.locator('connect-donate').first(), cardFrameIn(page.locator('body'), system));
    this.page = page;
    this.system = system;
  }

  /** Fills in everything with the donor's own data. */
  async type(): Promise<void> {
    await this.fill({ email: this.email, amount: '$100' });
  }

  /** Checks the kept input, except the card: a frame that is moved in the document reloads. */
  async expectFieldsKept(): Promise<void> {
    await expect(this.form.getByLabel(/^Email\b/)).toHaveValue(this.email);
    await expect(this.form.getByRole('radio', { name: '$100', exact: true })).toBeChecked();
  }
}

/** The card form is in the light DOM, so inside of the outermost host element. */
export const cardFrameIn = (container: Locator, { sandbox }: Addresses): FrameLocator =>
  container.locator(`iframe[src^="${sandbox}"]`).first().contentFrame();
