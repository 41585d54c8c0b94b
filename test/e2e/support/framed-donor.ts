import { expect, type Frame, type FrameLocator, type Locator, type Page } from 'playwright/test';
import type { Addresses } from '../../support/system.ts';
import { CARDS } from './donate-page.ts';

/** A donor on a page that shows the hosted page in a frame. */
export class FramedDonationPage {
  readonly page: Page;
  readonly form: Locator;
  readonly submitButton: Locator;
  readonly card: FrameLocator;
  readonly #outer: Locator;

  constructor(page: Page, system: Addresses) {
    this.page = page;
    this.#outer = page.locator('iframe[title=Donate]');
    const frameLocator = page.frameLocator('iframe[title=Donate]');
    this.form = frameLocator.locator('connect-donate');
    this.submitButton = this.form.getByRole('button', { name: /^Giv(e|ing)\b[^?]*$/ });
    this.card = frameLocator
      .frameLocator(`connect-donate iframe[src^="${system.sandbox}"]`)
      .first();
  }

  /** The frame, for access from scripts. */
  get frame(): Frame {
    return this.page.frame({ url: /\/embed\/es_/ })!;
  }

  choose(amount: string) {
    return this.form.getByRole('radio', { name: amount, exact: true }).click();
  }

  async fill({ email, card = CARDS.good }: { email: string; card?: string }) {
    await this.choose('$50');
    await this.form.getByLabel(/^Name\b/).fill('Ada Lovelace');
    await this.form.getByLabel(/^Email\b/).fill(email);
    await this.fillCard(card);
  }

  async fillCard(number: string) {
    await this.card.getByLabel('Card number').fill(number);
    await this.card.getByLabel('Expiration date').fill('12 / 34');
    await this.card.getByLabel('Security code').fill('123');
  }

  async expectThanks() {
    await expect(this.form.getByRole('heading', { name: /^Thank you/ })).toBeVisible();
  }

  /** Inner height of the frame, in pixels. */
  height(): Promise<number> {
    return this.#outer.evaluate((frame) => frame.clientHeight);
  }

  /** Checks the background of the form and of the page in the frame. */
  async expectScheme(scheme: 'light' | 'dark') {
    const backgrounds = () =>
      this.frame.evaluate(() => {
        const form = document.querySelector('connect-donate')!;
        return [document.documentElement, form.shadowRoot!.querySelector('.frame')!].map((item) => {
          const [red = 0] = /\d+/.exec(getComputedStyle(item).backgroundColor) ?? [];
          return Number(red) > 128 ? 'light' : 'dark';
        });
      });
    await expect.poll(backgrounds, `the frame is ${scheme}`).toEqual([scheme, scheme]);
  }

  /** Expects that the frame neither scrolls nor has empty space. */
  async expectFrameFits() {
    const content = () =>
      this.frame.evaluate(() => Math.ceil(document.documentElement.getBoundingClientRect().height));
    await expect
      .poll(async () => (await this.height()) - (await content()), 'the frame fits its page')
      .toBe(0);
  }
}
