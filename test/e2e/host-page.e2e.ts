import { donationsOf, intentsOf } from '../support/donations.ts';
import { expect, newEmail, test } from './support/fixtures.ts';
import { PlatformPage } from './support/platform-page.ts';
import { expectNoShift, totalShift, recordShifts } from './support/layout-shifts.ts';

/**
 * Pages as website owners write them: with strict policies, with mistakes, and with duplicate
 * snippets.
 */

test('a duplicate script has no effect', async ({ donate, system, pages }) => {
  const email = newEmail();
  await donate.open(`${pages}/twice`);
  await donate.fill({ email });
  await donate.submitButton.click();
  await donate.expectThanks();
  await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
  expect(await intentsOf(system, email)).toHaveLength(1);
});

/** How optimizers of websites change the tag of the script; `code` is its content. */
const COPIES = {
  'a file of the website': (pages: string) => `script.src = '${pages}/cache/min/1/connect.js';`,
  'a module of the website': (pages: string) =>
    `script.type = 'module'; script.src = '${pages}/cache/combined.js';`,
  'an inline script': () => 'script.textContent = code;',
  'a blob': () =>
    `script.src = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));`,
};

for (const [description, changeTag] of Object.entries(COPIES)) {
  test(`a copy of the script that an optimizer serves draws the form: ${description}`, async ({
    donate,
    page,
    pages,
    system,
    monitor,
  }) => {
    monitor.allowErrors(/Failed to load (resource|module script)/);
    const code = await (await fetch(`${system.server}/connect.js`)).text();
    await page.route(`${pages}/cache/**`, (route) =>
      /\/(connect|combined)\.js$/.test(route.request().url())
        ? route.fulfill({ contentType: 'text/javascript', body: code })
        : route.fulfill({ status: 404 }),
    );
    const html = `<main><connect-donate></connect-donate></main><script>
      fetch('${system.server}/connect.js').then((response) => response.text()).then((code) => {
        const script = document.createElement('script');
        ${changeTag(pages)}
        document.head.append(script);
      });
    </script>`;
    await donate.open(`${pages}/pasted?code=${encodeURIComponent(html)}`);
    expect(monitor.consoleWarnings.join()).toContain('exclude connect.js');
  });
}

test('a tag that is closed with a slash keeps the rest of the page visible', async ({
  donate,
  page,
  pages,
  monitor,
}) => {
  await donate.open(`${pages}/slash`);
  await expect(page.getByRole('heading', { name: 'Volunteer with us' })).toBeVisible();
  await expect(donate.submitButton).toBeVisible();
  expect(monitor.consoleWarnings.join()).toContain('Write <connect-donate></connect-donate>.');
});

test('a page whose element ids equal our global names accepts a donation', async ({
  donate,
  system,
  pages,
}) => {
  const email = newEmail();
  await donate.open(`${pages}/named`);
  await donate.fill({ email });
  await donate.submitButton.click();
  await donate.expectThanks();
  await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
  const init = () =>
    typeof (window as unknown as { ConnectEmbed: { init?: unknown } }).ConnectEmbed.init;
  expect(await donate.page.evaluate(init)).toBe('function');
});

test('loading the form causes no layout shift', async ({ page, system }) => {
  await recordShifts(page);
  for (const width of [1280, 900, 320]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(system.site);
    await expect(
      page.locator('connect-donate').getByRole('button', { name: /^Give\b[^?]*$/ }),
    ).toBeVisible();
    await page.waitForLoadState('networkidle');
    await expectNoShift(page, `the nonprofit's page at ${width} px`);
  }
});

const WINDOWS = [
  { width: 1280, height: 900 },
  { width: 1280, height: 1400 },
  { width: 1920, height: 1080 },
  { width: 390, height: 844 },
  { width: 320, height: 700 },
];

const PAGES = { wordpress: 'a WordPress page', readme: 'a page with the lines of the README' };
const CASES = Object.entries(PAGES).flatMap(([path, name]) =>
  WINDOWS.map((viewport) => ({ path, name, viewport })),
);

for (const { path, name, viewport } of CASES) {
  const { width, height } = viewport;
  test(`the documented snippet causes no layout shift in ${name}: ${width} × ${height}`, async ({
    page,
    pages,
    system,
  }) => {
    // Delays the script until the page is painted, as on a first visit.
    await page.route(`${system.server}/**`, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      await route.continue();
    });
    await page.setViewportSize(viewport);
    await recordShifts(page);
    const shown = page.locator('connect-donate').getByRole('button', { name: /^Give\b[^?]*$/ });
    await page.goto(`${pages}/${path}-bare`);
    await expect(shown).toBeVisible();
    await page.waitForLoadState('networkidle');
    const bare = await totalShift(page);
    console.log(`layout shift without the reserved height at ${width} px: ${bare.toFixed(4)}`);
    expect(bare, 'the measurement sees shifts').toBeGreaterThan(0);

    await page.goto(`${pages}/${path}`);
    await expect(shown).toBeVisible();
    await page.waitForLoadState('networkidle');
    await expectNoShift(page, `${name} at ${width} × ${height}`);
  });
}

test('a form is at least as tall as the height that its page reserves', async ({
  page,
  pages,
  monitor,
}) => {
  monitor.allowErrors(/status of 404/, /connect-donate.*nowhere/s);
  await page.goto(`${pages}/reserved`);
  const form = page.locator('connect-donate');
  await expect(form.getByRole('button', { name: /^Give\b[^?]*$/ })).toBeVisible();
  expect((await form.boundingBox())?.height).toBe(1500);
  await page.goto(`${pages}/reserved-nowhere`);
  await expect(form.getByRole('alert')).toBeVisible();
  expect((await form.boundingBox())?.height, 'not when it failed').toBeLessThan(400);
});

for (const display of ['button', 'sticky', 'modal']) {
  test(`loading, opening and closing a form causes no layout shift: ${display}`, async ({
    page,
    pages,
  }) => {
    await recordShifts(page);
    for (const width of [1280, 768, 320]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${pages}/apart-${display}`);
      const form = page.locator('connect-donate');
      if (display !== 'modal')
        await expect(form.getByRole('button', { name: 'Give' })).toBeVisible();
      await page.waitForLoadState('networkidle');
      await expectNoShift(page, `display="${display}" at ${width} px, come`);

      // By script, because shifts soon after user input are excluded from the measurement.
      await form.evaluate((item) => (item as HTMLElement & { open(): Promise<void> }).open());
      const dialog = form.getByRole('dialog');
      await expect(dialog.getByRole('button', { name: /^Give\b[^?]*$/ })).toBeVisible();
      await page.waitForLoadState('networkidle');
      await expectNoShift(page, `display="${display}" at ${width} px, open`);

      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
      await expectNoShift(page, `display="${display}" at ${width} px, closed`);
    }
  });
}

test('loading the tables causes no layout shift', async ({ page, system }) => {
  const platform = new PlatformPage(page, system);
  await platform.open();
  await recordShifts(page);
  for (const width of [1280, 900, 720, 320]) {
    await page.setViewportSize({ width, height: 900 });
    await page.reload();
    for (const table of [platform.donations, platform.donors, platform.payouts]) {
      await expect(table.getByRole('row').nth(1)).toBeVisible();
    }
    await expect(platform.donations.getByText(/^Gross/).first()).toBeVisible();
    await expectNoShift(page, `the platform's page at ${width} px`);
  }
});
