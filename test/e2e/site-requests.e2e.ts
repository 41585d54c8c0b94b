import { expectAccessible } from './support/expect-accessible.ts';
import { expect, test } from './support/fixtures.ts';

/** How long the server may use its list of allowed sites from before the decision. */
const LIST_TIMEOUT_MS = 60_000;

test('a website asks to be allowed, an owner allows it, and it shows the form', async ({
  dashboard,
  page,
  donate,
  pages,
  system,
  monitor,
}) => {
  test.slow(); // The server may have fetched its list of sites a moment before the decision.
  const site = pages.replace('//localhost', '//blog.localhost');
  const ask = async (origin: string) => {
    const body = { method: 'POST', body: JSON.stringify({ origin }) };
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${system.server}/site-requests`, { ...body, headers });
    return (await response.json()) as { status: string };
  };
  expect(await ask(site)).toMatchObject({ status: 'pending' });
  expect(await ask('https://unknown.example')).toMatchObject({ status: 'pending' });

  await dashboard.signIn();
  await page.getByRole('link', { name: /^Allowed sites \d+ waiting$/ }).click();
  await expectAccessible(page, 'the allowed sites with requests');
  await page.getByRole('button', { name: 'Dismiss https://unknown.example' }).click();
  await expect(page.getByText('https://unknown.example was dismissed')).toBeVisible();
  await page.getByRole('button', { name: `Allow ${site}` }).click();
  await expect(page.getByText(`${site} can show your forms within a minute`)).toBeVisible();
  await expect(page.getByRole('rowheader', { name: 'https://unknown.example' })).toHaveCount(0);

  const snippet = `<script type="module" src="${system.server}/connect.js"></script><connect-donate form="meals"></connect-donate>`;
  // Until the server has fetched its list again.
  monitor.allowErrors(/403|Origin .* is not allowed/);
  await expect(async () => {
    await page.goto(`${site}/pasted?${new URLSearchParams({ code: snippet })}`);
    await expect(donate.submitButton).toBeVisible({ timeout: 3000 });
  }).toPass({ timeout: LIST_TIMEOUT_MS });
  expect(await ask(site)).toMatchObject({ status: 'allowed' });
});

test('the guides for site builders and organizations are accessible', async ({ page, system }) => {
  const { origin } = new URL(system.api_base);
  for (const path of [
    'site-builders/wordpress?form=meals',
    'site-builders/html',
    'organizations/refunds',
  ]) {
    await page.goto(`${origin}/help/${path}`);
    await expectAccessible(page, `the guide ${path}`);
  }
});
