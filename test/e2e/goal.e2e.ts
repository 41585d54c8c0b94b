import type { CampaignProgress } from '@connect-embed/contract';
import { expect, newEmail, test, type Page } from './support/fixtures.ts';
import { expectNoShift, recordShifts } from './support/layout-shifts.ts';

async function open(page: Page, address: string) {
  await page.goto(address);
  return page.locator('main > connect-goal');
}

const centsOf = (text: string | null) =>
  Math.round(Number((text ?? '').replace(/[^\d.]/g, '')) * 100);

test('a donation updates the goal of its campaign on the same page soon', async ({
  donate,
  page,
  pages,
  system,
  monitor,
}) => {
  const goal = await open(page, `${pages}/goal-and-form`);
  const sum = goal.locator('[part=amount]');
  await expect(sum).toHaveText(/^\$[\d,.]+$/);
  await expect(goal.getByRole('status')).toBeEmpty();
  const before = centsOf(await sum.textContent());
  await donate.fill({ email: newEmail(), amount: '$150' });
  await donate.submitButton.click();
  await donate.expectThanks();
  // Other tests may donate to the campaign at the same time.
  await expect
    .poll(async () => centsOf(await sum.textContent()), { timeout: 60_000 })
    .toBeGreaterThanOrEqual(before + 15_000);
  await expect(goal.getByRole('status')).toHaveText(/^\$[\d,.]+ raised of \$[\d,.]+$/);
  const progressRequests = monitor.to(system.server, 'GET', '/campaigns/camp_winter/progress');
  expect(progressRequests.length).toBeLessThanOrEqual(8);
});

test('a goal alone needs four requests, and shows the API’s numbers', async ({
  page,
  pages,
  system,
  monitor,
}) => {
  const goal = await open(page, `${pages}/goal`);
  await expect(goal.getByRole('meter')).toBeVisible();
  await expect(goal.locator('[part=amount]')).toHaveText(/^\$/);
  await page.waitForLoadState('networkidle');
  const ownRequests = monitor.requests.filter((item) => item.url().startsWith(system.server));
  expect(ownRequests.map((item) => new URL(item.url()).pathname.replace(/-[^/]+\./, '.'))).toEqual([
    '/connect.js',
    '/base.js',
    '/goal.js',
    '/campaigns/camp_winter/progress',
  ]);
  const progress = (await (await ownRequests[3]!.response())!.json()) as CampaignProgress;
  expect(Object.keys(progress).sort()).toEqual([
    'campaign_id',
    'currency',
    'goal_cents',
    'name',
    'object',
    'raised_cents',
  ]);
  const meter = goal.getByRole('meter', { name: progress.name });
  await expect(meter).toHaveAttribute('aria-valuenow', `${progress.raised_cents}`);
});

test('a goal works on a page with a strict policy, without violations', async ({ page, pages }) => {
  await page.goto(`${pages}/strict`);
  await page.evaluate(() => {
    const goal = document.createElement('connect-goal');
    goal.setAttribute('campaign', 'camp_winter');
    document.body.prepend(goal);
  });
  await expect(page.locator('connect-goal').getByRole('meter')).toBeVisible();
  await expect(page.locator('connect-goal [part=amount]')).toHaveText(/^\$/);
});

test('a campaign that is not configured keeps the tag’s content, and logs why', async ({
  page,
  pages,
  monitor,
}) => {
  monitor.allowErrors(/Failed to load resource|is not available here/);
  const consoleMessage = page.waitForEvent('console', (line) =>
    line.text().includes('connect.config.ts'),
  );
  const goal = await open(page, `${pages}/goal-unknown`);
  await consoleMessage;
  await expect(goal.getByText('We cook all winter.')).toBeVisible();
});

test('loading a goal causes no layout shift', async ({ page, pages }) => {
  await recordShifts(page);
  for (const width of [1280, 768, 320]) {
    await page.setViewportSize({ width, height: 900 });
    const goal = await open(page, `${pages}/goal`);
    await expect(goal.locator('[part=amount]')).toHaveText(/^\$/);
    await page.waitForLoadState('networkidle');
    await expectNoShift(page, `<connect-goal> at ${width} px`);
  }
});

test('a form shows the goal of its campaign without layout shift', async ({
  page,
  pages,
  system,
  monitor,
}) => {
  await recordShifts(page);
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 1400 });
    await page.goto(`${pages}/form-with-goal`);
    const form = page.locator('connect-donate');
    await expect(form.locator('[part=amount]')).toHaveText(/^\$/);
    await expect(form.getByRole('meter', { name: 'A Warm Winter' })).toBeVisible();
    await page.waitForLoadState('networkidle');
    await expectNoShift(page, `a form with a goal at ${width} px`);
  }
  expect(monitor.to(system.server, 'GET', '/campaigns/camp_winter/progress')).toHaveLength(2);
});
