import { expect, type FrameLocator, type Locator, type Page } from 'playwright/test';
import type { Addresses } from '../../support/system.ts';
import { newEmail } from '../support/fixtures.ts';

/** A donor on a host page: finds the form by labels and roles, wherever the page has put it. */
export class HostDonationPage {
  readonly page: Page;
  readonly system: Addresses;
  readonly email = newEmail();
  form: Locator;
  card: FrameLocator;

  constructor(page: Page, system: Addresses) {
    this.page = page;
    this.system = system;
    this.form = page.locator('connect-donate').first();
    this.card = this.cardFrameIn(page.locator('body'));
  }

  get submitButton(): Locator {
    return this.form.getByRole('button', { name: /^Giv(e|ing)\b[^?]*$/ });
  }

  get thankYouHeading(): Locator {
    return this.form.getByRole('heading', { name: /^Thank you/ });
  }

  /** The card form is in the light DOM, so inside of the outermost host element. */
  cardFrameIn(container: Locator): FrameLocator {
    return container.locator(`iframe[src^="${this.system.sandbox}"]`).first().contentFrame();
  }

  async type(): Promise<void> {
    await this.form.getByRole('radio', { name: '$100', exact: true }).click();
    await this.form.getByLabel(/^Name\b/).fill('Ada Lovelace');
    await this.form.getByLabel(/^Email\b/).fill(this.email);
    await this.fillCard();
  }

  async fillCard(): Promise<void> {
    await this.card.getByLabel('Card number').fill('4242 4242 4242 4242');
    await this.card.getByLabel('Expiration date').fill('12 / 34');
    await this.card.getByLabel('Security code').fill('123');
  }

  /** Checks the kept input, except the card: a frame that is moved in the document reloads. */
  async expectFieldsKept(): Promise<void> {
    await expect(this.form.getByLabel(/^Email\b/)).toHaveValue(this.email);
    await expect(this.form.getByRole('radio', { name: '$100', exact: true })).toBeChecked();
  }
}
