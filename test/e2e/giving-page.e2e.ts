import { expectAccessible, expectNoSidewaysScroll } from './support/expect-accessible.ts';
import sharp from 'sharp';
import type { Dashboard } from './support/dashboard-pages.ts';
import { expect, newEmail, test, type Page } from './support/fixtures.ts';
import { expectNoShift, recordShifts } from './support/layout-shifts.ts';

/** How long the server may show the state before a publication. */
const PUBLICATION_TIMEOUT_MS = 60_000;

const NAME = 'Harbor Street Food Bank';

test('a donor follows a link with an amount, and gives on the page at that address', async ({
  page,
  donate,
  system,
  monitor,
}) => {
  const address = `${system.server}/give/meals?amount=25&frequency=monthly`;
  await donate.open(address);
  await expect(page.getByRole('banner')).toContainText(NAME);
  await expect(donate.form.getByRole('radio', { name: 'Monthly' })).toBeChecked();
  await expect(donate.form.getByRole('radio', { name: '$25' })).toBeChecked();
  const origins = new Set(monitor.requests.map((request) => new URL(request.url()).origin));
  expect([...origins], 'no request to another host before the donor acts').toEqual([system.server]);
  await expectAccessible(page, 'the page of a form');

  await donate.fill({ email: newEmail(), amount: '$25' });
  await donate.submitButton.click();
  await donate.expectThanks();
  expect(page.url()).toBe(address);
});

test('a link whose values the form does not offer opens the form as it is', async ({
  donate,
  system,
}) => {
  await donate.open(`${system.server}/give/meals?amount=1&frequency=yearly&fund=none`);
  await expect(donate.form.getByRole('radio', { name: 'One-time' })).toBeChecked();
  await expect(donate.form.getByRole('radio', { name: '$50' })).toBeChecked();
});

test('an unknown address names the organization and its website', async ({
  page,
  system,
  monitor,
}) => {
  monitor.allowErrors(/404/);
  const response = await page.goto(`${system.server}/give/no-such-form`);
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Donation page not found' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Visit harborstreet.example' })).toBeVisible();
  await expectAccessible(page, 'an unknown page');
});

test('in Arabic the page reads from right to left', async ({ browser, system }) => {
  const context = await browser.newContext({ locale: 'ar' });
  const page = await context.newPage();
  await page.goto(`${system.server}/give/meals`);
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.locator('connect-donate').getByRole('button', { name: /تبرّع/ })).toBeVisible();
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoSidewaysScroll(page, `Arabic, ${width} px`);
  }
  await context.close();
});

test('an owner titles the page, shares it, prints a poster and closes the form', async ({
  dashboard,
  page,
  system,
  monitor,
}) => {
  test.slow(); // The server may have fetched its list of forms a moment before the publication.
  await dashboard.signIn();
  const title = 'A roof for the kitchen';
  await publishForm(dashboard, { name: 'Kitchen roof', title, description: 'It rains in.' });
  const formPage = page.url();

  await test.step('the share page builds a link and a poster', async () => {
    await page.getByRole('link', { name: 'More ways to share' }).click();
    await page.getByLabel('Amount').fill('0.10');
    monitor.allowErrors(/400/);
    await page.getByRole('button', { name: 'Create link' }).click();
    await expect(page.getByText('Must be between $0.50')).toBeVisible();
    await expectAccessible(page, 'the share page with an error');
    await page.getByLabel('Amount').fill('75');
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = page.getByLabel('Link with these values');
    await expect(link).toHaveValue(`${system.server}/give/kitchen-roof?amount=75`);
    await expectAccessible(page, 'the share page');
    await page.goto(page.url().replace('/share', '/poster'));
    await expect(page.getByRole('button', { name: 'Print' })).toBeVisible();
    await expectAccessible(page, 'the poster');
    for (const format of ['A4', 'Letter']) expect(await countPages(page, format)).toBe(1);
  });

  const address = `${system.server}/give/kitchen-roof`;
  await test.step('the page has the title and an image', async () => {
    monitor.allowErrors(/404/);
    await expect(async () => {
      await page.goto(`${address}?amount=75`);
      await expect(page.getByRole('heading', { name: title })).toBeVisible({ timeout: 2000 });
    }).toPass({ timeout: PUBLICATION_TIMEOUT_MS });
    await expect(page.locator('connect-donate').getByLabel('Other amount')).toHaveValue('75');
    await expectAccessible(page, 'a page with a title and a description');
    const image = await page.locator('meta[property="og:image"]').getAttribute('content');
    const response = await page.request.get(image!);
    expect(response.headers()['content-type']).toBe('image/png');
    // The size is in the header of the file: bytes 16 to 23.
    const file = await response.body();
    expect([file.readUInt32BE(16), file.readUInt32BE(20)]).toEqual([1200, 630]);
  });

  await test.step('the page of the closed form offers a way forward', async () => {
    // The page may be served a moment before the server knows that the form is closed.
    monitor.allowErrors(/is closed/);
    await page.goto(formPage);
    await page.getByRole('link', { name: 'Close form' }).click();
    await page.getByRole('button', { name: 'Close form' }).click();
    await expect(async () => {
      await page.goto(address);
      await expect(page.getByText('This form is closed')).toBeVisible({ timeout: 2000 });
    }).toPass({ timeout: PUBLICATION_TIMEOUT_MS });
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Visit harborstreet.example' })).toBeVisible();
    await expectAccessible(page, 'the page of a closed form');
  });
});

test('an owner adds a picture and a story, and the goal stands beside the form', async ({
  dashboard,
  page,
  system,
  monitor,
}) => {
  test.slow(); // The server may have fetched its list of forms a moment before the publication.
  monitor.allowErrors(/404/);
  await dashboard.signIn();
  await dashboard.open('/forms/new');
  await page.getByLabel('Name', { exact: true }).fill('Winter picture');
  await page.getByRole('radio', { name: /^Campaign/ }).check();
  await page.getByRole('combobox', { name: /^Campaign/ }).selectOption('camp_winter');
  await page.getByRole('button', { name: 'Create form' }).click();
  await expect(page.getByLabel('Show the goal')).toBeChecked();
  await page.getByLabel('Story').fill('We cook.\n\nRead on: https://harborstreet.example/kitchen');
  await page.getByRole('button', { name: 'Add a picture' }).click();
  const photo = sharp({ create: { width: 900, height: 600, channels: 3, background: '#c2410c' } });
  await page.getByLabel('Image').setInputFiles({
    name: 'photo.jpg',
    mimeType: 'image/jpeg',
    buffer: await photo.jpeg().toBuffer(),
  });
  await page.getByLabel('What it shows').fill('Our kitchen.');
  await expectAccessible(page, 'the page of a picture');
  await page.getByRole('button', { name: 'Save picture' }).click();
  await expectAccessible(page, 'the form editor with a picture');
  await page.getByRole('button', { name: 'Publish' }).click();

  const picture = page.getByRole('img', { name: 'Our kitchen.' });
  await recordShifts(page);
  await page.setViewportSize({ width: 1280, height: 1400 });
  await expect(async () => {
    await page.goto(`${system.server}/give/winter-picture`);
    await expect(picture).toBeVisible({ timeout: 2000 });
  }).toPass({ timeout: PUBLICATION_TIMEOUT_MS });
  const form = page.locator('connect-donate');
  const goals = page.getByRole('meter', { name: 'A Warm Winter' });
  await expect(goals).toHaveCount(1);
  await expect(form.getByRole('meter')).toHaveCount(0);
  await page.waitForLoadState('networkidle');
  await expectNoShift(page, 'a giving page with picture and goal');
  const [left, right] = [await picture.boundingBox(), await form.boundingBox()];
  expect(left!.x + left!.width).toBeLessThan(right!.x);
  await expect(page.getByRole('link', { name: 'harborstreet.example/kitchen' })).toBeVisible();
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(900);
  await expectAccessible(page, 'a giving page with picture and goal');

  await page.setViewportSize({ width: 390, height: 800 });
  await expect(form.getByRole('meter')).toBeVisible();
  await expect(goals).toHaveCount(1);
});

/** Creates and publishes a form with settings of its page, and leaves its page open. */
async function publishForm(
  dashboard: Dashboard,
  { name, title, description }: { name: string; title: string; description: string },
) {
  const { page } = dashboard;
  await dashboard.open('/forms/new');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Create form' }).click();
  await page.getByLabel('Page title').fill(title);
  await page.getByLabel('Page description').fill(description);
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Published. Pages show this version')).toBeVisible();
}

/** Counts the pages of a print. */
async function countPages(page: Page, format: string): Promise<number> {
  const pdf = await page.pdf({ format });
  return pdf.toString('latin1').match(/\/Type \/Page\b(?!s)/g)?.length ?? 0;
}
