import { ConnectClient } from '@connect-embed/contract';
import { startDedicatedServer, type DedicatedServer } from '../support/dedicated-server.ts';
import { donationsOf, intentsOf } from '../support/donations.ts';
import { freePorts } from '../support/free-ports.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { expect, newEmail, test as base, type Page } from './support/fixtures.ts';

/**
 * Donors without JavaScript. Their server has a secret of its own, so that the API does not count them
 * together with the donors of other tests, who solve a proof of work once there are many of them.
 */
const test = base.extend<{ giving: DedicatedServer }>({
  giving: async ({ system }, use) => {
    const [port] = await freePorts(1);
    const server = await startDedicatedServer(system, {
      SERVER_PORT: String(port),
      SESSION_SECRET: `a-session-secret-of-one-test-${crypto.randomUUID()}`,
      CONNECT_CONFIG: 'test/e2e/support/connect.config.ts',
    });
    await use(server);
    await server.close();
  },
});
test.use({ javaScriptEnabled: false });

async function fillIn(page: Page, email: string) {
  await page.getByLabel('Name').fill('Maud Lewis');
  await page.getByLabel('Email').fill(email);
}

const submit = (page: Page) => page.getByRole('button', { name: 'Continue to payment' }).click();

/** Pays on the page that stands in for Stripe Checkout. */
async function pay(page: Page, card: string) {
  await page.getByLabel('Card number').fill(card);
  await page.getByLabel(/Expiration/).fill('12 / 34');
  await page.getByLabel('Security code').fill('123');
  await page.getByRole('button', { name: 'Donate' }).click();
}

test('a donor without JavaScript gives an amount of their own, with a declined card first', async ({
  page,
  system,
  giving,
  monitor,
  browser,
}) => {
  test.slow(); // The page is checked with axe in several layouts.
  const email = newEmail();
  const views = new Map<string, string>();
  await page.goto(`${giving.url}/give/meals?amount=25`);
  await expect(page.getByRole('radio', { name: '$25', exact: true })).toBeChecked();
  await expect(page.getByLabel('Other amount').last()).toBeHidden();
  views.set('the form without JavaScript', await page.content());

  monitor.allowErrors(/400|402/);
  await page.getByRole('radio', { name: 'Other amount' }).check();
  await page.getByRole('textbox', { name: 'Other amount' }).fill('4');
  await fillIn(page, email);
  await page.getByLabel('Add the card fee').check();
  await submit(page);
  await expect(page.getByText('The minimum gift is $5.')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await expect(page.getByLabel('Add the card fee')).toBeChecked();
  views.set('the form without JavaScript, with an error', await page.content());

  await page.getByRole('textbox', { name: 'Other amount' }).fill('40');
  await submit(page);
  await expect(page).toHaveURL(new RegExp(`^${system.sandbox}/checkout/`));
  await expect(page.getByText('$41.51')).toBeVisible();
  await pay(page, '4000 0000 0000 0002');
  await expect(page.getByRole('alert')).toContainText('declined');
  await pay(page, '4242 4242 4242 4242');

  await expect(page.getByRole('heading', { name: /^Thank you for your gift to/ })).toBeVisible();
  const reference = await page.getByText(/^[3-9A-Z]{4}-[3-9A-Z]{4}$/).textContent();
  expect(page.url()).toMatch(/\/give\/meals\?thanks=cs_test_\w+$/);
  views.set('the thank-you state', await page.content());
  await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
  const [{ id } = { id: '' }] = await donationsOf(system, email);
  const client = new ConnectClient({ apiBase: system.api_base, token: system.api_key });
  expect(await client.get('donations', id)).toMatchObject({
    reference,
    amount_cents: 4151,
    fund_id: 'fund_meals',
    donor_name: 'Maud Lewis',
    source: 'embed',
  });

  // axe needs scripts, so it checks copies of the pages.
  const copy = await browser.newPage({ javaScriptEnabled: true });
  for (const [view, html] of views) {
    await copy.setContent(withoutScripts(html));
    await expectAccessible(copy, view);
  }
  await copy.close();
});

/** Returns a page as a browser without JavaScript shows it. */
const withoutScripts = (html: string) =>
  html.replaceAll(/<\/?noscript>|<(script|connect-donate).*?<\/\1>/gs, '');

test('a donor who clicks twice gets one payment page, and can return from it', async ({
  page,
  system,
  giving,
  processor,
}) => {
  const email = newEmail();
  await page.goto(`${giving.url}/give/meals`);
  await fillIn(page, email);
  await page.getByRole('button', { name: 'Continue to payment' }).dblclick();
  await expect(page).toHaveURL(new RegExp(`^${system.sandbox}/checkout/`));
  const sessions = await processor.checkoutSessions();
  expect(sessions.filter(({ customer_email }) => customer_email === email)).toHaveLength(1);

  await page.getByRole('link', { name: 'Back' }).click();
  await expect(page).toHaveURL(`${giving.url}/give/meals?amount=50.00`);
  await expect(page.getByRole('radio', { name: '$50', exact: true })).toBeChecked();
  expect(await intentsOf(system, email)).toEqual([]);
});

test('a donor whose payment page has expired after two declined cards goes back and pays', async ({
  page,
  system,
  giving,
  processor,
  monitor,
}) => {
  monitor.allowErrors(/402|ERR_CACHE_MISS/);
  const email = newEmail();
  const address = `${giving.url}/give/meals`;
  await page.goto(address);
  await fillIn(page, email);
  await submit(page);
  const firstPage = page.url();
  for (let declines = 0; declines < 2; declines += 1) await pay(page, '4000 0000 0000 0002');
  const statusesOf = async () =>
    (await processor.checkoutSessions())
      .filter(({ customer_email }) => customer_email === email)
      .map(({ status }) => status);
  await expect.poll(statusesOf).toEqual(['expired']);

  await goBackTo(page, address);
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await submit(page);
  await expect(page).toHaveURL(new RegExp(`^${system.sandbox}/checkout/`));
  expect(page.url()).not.toBe(firstPage);
  await pay(page, '4242 4242 4242 4242');
  await expect(page.getByRole('heading', { name: /^Thank you for your gift to/ })).toBeVisible();
  await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
  expect(await statusesOf()).toEqual(['complete', 'expired']);
});

/** Presses “Back” until the browser shows an address. Chromium cannot show the response to a POST again. */
async function goBackTo(page: Page, address: string) {
  await expect(async () => {
    await page.goBack().catch(() => null);
    expect(page.url()).toBe(address);
  }).toPass();
}
