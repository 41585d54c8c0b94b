import type { Browser, Locator, Page } from 'playwright';
import sharp from 'sharp';
import type { TestSystem } from './support/system.ts';

const VIEWPORT = { width: 390, height: 780 };
const SCROLL_STEPS = 5;
const SCROLL_STEP_MS = 50;
/** Distance in pixels between the top of the viewport and the element that is scrolled to. */
const SCROLL_MARGIN = 24;
const TAP_MS = 220;
const TYPE_MS = 100;
/** Characters that appear in one frame while the donor types. */
const CHARACTERS_PER_FRAME = 3;

/**
 * Records a donation on the nonprofit's page, in the size of a phone, as an animated WebP.
 *
 * The frames are screenshots of the real form; only the dot that shows a tap is added.
 *
 * @param path of the file to write
 */
export async function recordDonation(
  browser: Browser,
  { site, sandbox }: TestSystem,
  colorScheme: 'light' | 'dark',
  path: string,
): Promise<void> {
  const options = { colorScheme, viewport: VIEWPORT, deviceScaleFactor: 1.5 };
  const page = await browser.newPage({ ...options, reducedMotion: 'reduce' });
  const recording = new Recording(page);
  await page.goto(site);
  const form = page.locator('connect-donate').first();
  const card = page.frameLocator(`connect-donate iframe[src^="${sandbox}"]`).first();
  await form.getByRole('radio', { name: '$50', exact: true }).waitFor();
  await recording.addFrame(1200);

  await recording.scrollTo(form);
  await recording.addFrame(700);
  await recording.tap(form.getByRole('radio', { name: '$100', exact: true }));
  await recording.addFrame(500);

  await recording.scrollTo(form.getByText('Your details'));
  await recording.type(form.getByLabel(/^Name\b/), 'Ada Lovelace');
  await recording.type(form.getByLabel(/^Email\b/), 'ada@example.org');
  await recording.type(card.getByLabel('Card number'), '4242424242424242');
  await recording.type(card.getByLabel('Expiration date'), '1234');
  await recording.type(card.getByLabel('Security code'), '123');
  await recording.addFrame(400);

  const submit = form.getByRole('button', { name: /^Give\b[^?]*$/ });
  await recording.tap(submit);
  await recording.addFrame(900);
  await form.getByRole('heading', { name: /^Thank you/ }).waitFor();
  await recording.scrollTo(form);
  await recording.addFrame(4000);
  await recording.save(path);
  await page.close();
}

/** Screenshots of a page, each with the time for which it is shown. */
class Recording {
  readonly #page: Page;
  readonly #images: Buffer[] = [];
  readonly #delaysMs: number[] = [];

  constructor(page: Page) {
    this.#page = page;
  }

  async addFrame(ms: number): Promise<void> {
    this.#images.push(await this.#page.screenshot());
    this.#delaysMs.push(ms);
  }

  /** Scrolls in steps until the element is at the top. */
  async scrollTo(element: Locator): Promise<void> {
    const { y } = (await element.boundingBox())!;
    for (let step = 0; step < SCROLL_STEPS; step += 1) {
      const distance = Math.round((y - SCROLL_MARGIN) / SCROLL_STEPS);
      await this.#page.evaluate((top) => scrollBy({ top, behavior: 'instant' }), distance);
      await this.addFrame(SCROLL_STEP_MS);
    }
  }

  /** Shows a dot at the center of the element, and taps it. */
  async tap(element: Locator): Promise<void> {
    const { x, y, width, height } = (await element.boundingBox())!;
    await this.#page.evaluate(
      ([left, top]) => {
        const dot = document.createElement('div');
        dot.id = 'tap';
        dot.style.cssText = `position: fixed; left: ${left - 18}px; top: ${top - 18}px; z-index: 9999;
          width: 36px; height: 36px; border-radius: 50%; background: #888; opacity: 0.5; pointer-events: none`;
        document.body.append(dot);
      },
      [x + width / 2, y + height / 2] as const,
    );
    await this.addFrame(TAP_MS);
    await this.#page.evaluate(() => document.querySelector('#tap')!.remove());
    await element.click();
  }

  async type(field: Locator, text: string): Promise<void> {
    await this.tap(field);
    for (let start = 0; start < text.length; start += CHARACTERS_PER_FRAME) {
      await field.pressSequentially(text.slice(start, start + CHARACTERS_PER_FRAME));
      await this.addFrame(TYPE_MS);
    }
  }

  async save(path: string): Promise<void> {
    await sharp(this.#images, { join: { animated: true } })
      .webp({ quality: 80, effort: 6, smartSubsample: true, loop: 0, delay: this.#delaysMs })
      .toFile(path);
  }
}
