import { expect, type Frame, type Locator, type Page } from 'playwright/test';
import type { Addresses } from '../../support/system.ts';
import { DonationForm } from './donate-page.ts';

/** A donor on a page that shows the hosted page in a frame. */
export class FramedDonationPage extends DonationForm {
  readonly page: Page;
  readonly #outer: Locator;

  constructor(page: Page, system: Addresses) {
    const frame = page.frameLocator('iframe[title=Donate]');
    const card = frame.frameLocator(`connect-donate iframe[src^="${system.sandbox}"]`).first();
    super(frame.locator('connect-donate'), card);
    this.page = page;
    this.#outer = page.locator('iframe[title=Donate]');
  }

  /** The frame, for access from scripts. */
  get frame(): Frame {
    return this.page.frame({ url: /\/embed\/es_/ })!;
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
