import { donationsOf } from '../support/donations.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { payAtBank } from './support/bank-redirect.ts';
import { CARDS, DonationForm } from './support/donate-page.ts';
import { expect, newEmail, test } from './support/fixtures.ts';
import { FramedDonationPage } from './support/framed-donor.ts';
import { EXAMPLES } from './support/guide-examples.ts';

/** The hosted page in a frame, for sites that do not run our script. */

test('a donation in a frame that is always as tall as its form', async ({
  page,
  system,
  pages,
  monitor,
}) => {
  monitor.allowErrors(/status of 402/);
  const email = newEmail();
  const donor = new FramedDonationPage(page, system);
  await page.goto(`${pages}/framed`);
  await expect(donor.submitButton).toBeVisible();
  await donor.expectFrameFits();
  const initialHeight = await donor.height();

  await donor.submitButton.click();
  await expect(donor.form.getByText(/^Check \d+ fields/)).toBeVisible();
  await donor.expectFrameFits();
  expect(await donor.height()).toBeGreaterThan(initialHeight);

  await donor.fill({ email, card: CARDS.declined });
  await donor.expectFrameFits();
  await donor.submitButton.click();
  await expect(donor.form.getByText(/card was declined/)).toBeVisible();
  await donor.expectFrameFits();

  await donor.fillCard(CARDS.good);
  await donor.submitButton.click();
  await donor.expectThanks();
  await donor.expectFrameFits();
  await page.setViewportSize({ width: 320, height: 640 });
  await donor.expectFrameFits();

  await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
  const requestHeaders = await Promise.all(monitor.requests.map((request) => request.allHeaders()));
  for (const { referer = '' } of requestHeaders) expect(referer).not.toContain('/embed/');
  expect(monitor.requests.map((request) => request.url()).join()).not.toMatch(/eyJ|gb_/);
});

test('a page with the form in a frame is accessible', async ({ page, system, pages }) => {
  const donor = new FramedDonationPage(page, system);
  await page.goto(`${pages}/framed`);
  await expect(donor.submitButton).toBeVisible();
  await donor.expectFrameFits();
  await expectAccessible(page, 'a page with the form in a frame');
});

const FRAME_EXAMPLE = EXAMPLES.findIndex((example) => example.startsWith('<iframe'));
const WIDTHS = [320, 390, 768, 960, 1280];

test('the documented frame clips nothing, at any width', async ({ page, system, pages }) => {
  const donor = new FramedDonationPage(page, system);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${pages}/guide/${FRAME_EXAMPLE}`);
    await donor.choose('$50'); // With the card form the page has its full height.
    await expect(donor.card.getByLabel('Card number')).toBeVisible();
    const outer = await page.locator('iframe[title=Donate]').evaluate((frame) => {
      const { left, right, height } = frame.getBoundingClientRect();
      const { scrollWidth, clientWidth } = document.documentElement;
      const { bottom } = frame.getBoundingClientRect();
      const gap = frame.parentElement!.getBoundingClientRect().bottom - bottom;
      return { left, right, height, gap, sticksOut: scrollWidth > clientWidth };
    });
    expect(outer.left, `${width} px`).toBeGreaterThanOrEqual(0);
    expect(outer.right, `${width} px`).toBeLessThanOrEqual(width);
    expect(outer.sticksOut, `the page at ${width} px`).toBe(false);
    expect(outer.gap, `no line of text below the frame at ${width} px`).toBe(0);
    const inner = await donor.frame.evaluate(() => {
      const form = document.querySelector('connect-donate')!;
      const button = form.shadowRoot!.querySelector('.primary')!.getBoundingClientRect();
      const { scrollWidth, scrollHeight, clientWidth, clientHeight } = document.documentElement;
      const { bottom } = document.body.getBoundingClientRect();
      return { button, bottom, scrollWidth, scrollHeight, clientWidth, clientHeight };
    });
    expect(inner.button.bottom, `the button at ${width} px`).toBeLessThanOrEqual(outer.height);
    expect(inner.button.right, `the button at ${width} px`).toBeLessThanOrEqual(inner.clientWidth);
    expect(inner.scrollWidth, `the frame at ${width} px`).toBe(inner.clientWidth);
    expect(inner.scrollHeight, `the frame at ${width} px`).toBe(inner.clientHeight);
  }
});

test('without a script on the site the frame scrolls, and a donation succeeds', async ({
  page,
  system,
  pages,
}) => {
  const email = newEmail();
  const donor = new FramedDonationPage(page, system);
  await page.goto(`${pages}/framed-late`);
  await donor.fill({ email });
  expect(await donor.height()).toBe(600);
  await donor.submitButton.click();
  await donor.expectThanks();
  await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
});

test('a script that loads after the frame resizes it', async ({ page, system, pages }) => {
  const donor = new FramedDonationPage(page, system);
  await page.goto(`${pages}/framed-late`);
  await expect(donor.submitButton).toBeVisible();
  await page.addScriptTag({ url: new URL('/embed/frame.js', system.api_base).href });
  await donor.expectFrameFits();
});

test('a site that is not an origin of the form cannot show the frame', async ({
  page,
  system,
  pages,
  monitor,
}) => {
  monitor.allowErrors(/frame-ancestors/);
  await page.goto(`${pages.replace('localhost', '127.0.0.1')}/framed`);
  await expect.poll(() => monitor.consoleErrors.join()).toMatch(/frame-ancestors/);
  await expect(new FramedDonationPage(page, system).form).toHaveCount(0);
  expect(
    page
      .frames()
      .map((frame) => frame.url())
      .join(),
  ).not.toContain('/embed/');
});

test('an unknown form shows a message in the frame', async ({ page, pages, monitor }) => {
  monitor.allowErrors(/status of 404/);
  await page.goto(`${pages}/framed-nowhere`);
  const heading = page.frameLocator('iframe[title=Donate]').getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('Donation page not found');
  await expect(heading).toHaveCSS('overflow-wrap', 'anywhere'); // The CSP allows these styles.
  await expectAccessible(page, 'a frame of a form that is not there');
});

test('a frame has the color scheme of its page, whatever the visitor’s system setting', async ({
  page,
  system,
  pages,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  const donor = new FramedDonationPage(page, system);
  const root = page.locator('html');
  await page.goto(`${pages}/framed`);
  await expect(donor.submitButton).toBeVisible();
  await donor.expectScheme('light');
  await root.evaluate((html) => void (html.dataset['theme'] = 'dark'));
  await donor.expectScheme('dark');
  await root.evaluate((html) => void (html.dataset['theme'] = 'light'));
  await donor.expectScheme('light');
  await root.evaluate((html) => void delete html.dataset['theme']);
  await root.evaluate((html) => void (html.style.colorScheme = 'dark'));
  await donor.expectScheme('dark');
  await root.evaluate((html) => void (html.style.colorScheme = 'light'));
  await donor.expectScheme('light');
  await root.evaluate((html) => void (html.style.colorScheme = 'light dark'));
  await donor.expectScheme('dark');
});

test('without a script a frame is light, or as its URL says', async ({ page, system, pages }) => {
  const donor = new FramedDonationPage(page, system);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`${pages}/framed-late`);
  await expect(donor.submitButton).toBeVisible();
  await donor.expectScheme('light');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(`${pages}/framed-dark`);
  await expect(donor.submitButton).toBeVisible();
  await donor.expectScheme('dark');
});

test('a forged message has no effect, in either direction', async ({ page, system, pages }) => {
  const donor = new FramedDonationPage(page, system);
  await page.goto(`${pages}/framed`);
  await expect(donor.submitButton).toBeVisible();
  await donor.expectFrameFits();
  const before = await donor.height();
  const acceptedHeights = await page.evaluate(async () => {
    let heights = 0;
    addEventListener('message', ({ data }) => {
      if ((data as { type?: string }).type === 'connect-frame') heights += 1;
    });
    const last = () =>
      new Promise<void>((resolve) =>
        addEventListener('message', ({ data }) => void (data === 'last' && resolve())),
      );
    const forged = document.createElement('iframe');
    forged.srcdoc = `<script>
      parent.frames[0].postMessage({ type: 'connect-frame-ask' }, '*');
      parent.postMessage({ type: 'connect-frame', height: 7 }, '*');
      parent.postMessage('last', '*');
    </script>`;
    const arrived = last();
    document.body.append(forged);
    await arrived;
    const ownMessage = last();
    postMessage({ type: 'connect-frame', height: 9 }, '*');
    postMessage('last', '*');
    await ownMessage;
    frames[0]!.postMessage({ type: 'connect-frame-ask' }, '*');
    await new Promise<void>((resolve) => {
      const look = ({ origin }: MessageEvent) => origin !== location.origin && resolve();
      addEventListener('message', look);
    });
    return heights;
  });
  expect(acceptedHeights, 'two forged heights and one real one').toBe(3);
  expect(await donor.height()).toBe(before);
});

test('after a bank’s redirect out of the frame the page shows the result', async ({
  page,
  system,
  pages,
}) => {
  const email = newEmail();
  const donor = new FramedDonationPage(page, system);
  await page.goto(`${pages}/framed`);
  await donor.fill({ email });
  const address = await payAtBank(page, system, () => donor.submitButton.click());
  expect(address.pathname).toMatch(/^\/embed\/es_\w+$/);
  expect(address.href).not.toMatch(/eyJ|gb_/);
  await donor.frame.evaluate((href) => void (top!.location.href = href), address.href);

  const complete = page.locator('connect-donate');
  await expect(complete.getByRole('heading', { name: /^Thank you/ })).toBeVisible();
  expect(new URL(page.url()).search).toBe('');
  await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
});

test('after a bank’s redirect out of a frame without an address the giving page shows the result', async ({
  page,
  system,
  pages,
}) => {
  const email = newEmail();
  await page.goto(`${pages}/framed-srcdoc`);
  const frame = page.frameLocator('iframe[srcdoc]');
  const card = frame.frameLocator(`connect-donate iframe[src^="${system.sandbox}"]`);
  const donor = new DonationForm(frame.locator('connect-donate'), card);
  await donor.fill({ email, amount: '$150' });
  const address = await payAtBank(page, system, () => donor.submitButton.click());
  expect(address.origin + address.pathname).toBe(`${system.server}/give/gala`);
  await page.goto(address.href);
  const complete = page.locator('connect-donate');
  await expect(complete.getByRole('heading', { name: /^Thank you/ })).toBeVisible();
  await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
});
