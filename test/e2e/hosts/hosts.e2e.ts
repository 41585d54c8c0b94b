import { donationsOf, intentsOf } from '../../support/donations.ts';
import { expect, test } from '../support/fixtures.ts';
import { storedItemsOf } from '../support/stored-items.ts';
import { CASES, COMPLETED_DONATIONS } from './host-cases.ts';
import { slugOf, type HostCase } from './host-case.ts';
import { HostDonationPage } from './host-donor.ts';

/** The same form on every kind of host page: `host-cases.ts`. */
for (const host of CASES) {
  const isCompleted = host.name in COMPLETED_DONATIONS;
  const title = isCompleted ? 'a donation succeeds' : 'a card can be entered';
  test(`${title} on a page with ${host.name}`, async ({ page, system, pages, monitor }) => {
    const donor = new HostDonationPage(page, system);
    if (host.allowedErrors) monitor.allowErrors(host.allowedErrors);
    await page.goto(`${pages}/hosts/${slugOf(host)}`);
    await test.step('no third-party requests and nothing stored before the donor acts', async () => {
      await page.waitForLoadState('networkidle');
      const allowedOrigins = new Set([pages, system.server, 'null']);
      const requestedOrigins = monitor.requests.map((request) => new URL(request.url()).origin);
      expect(requestedOrigins.filter((origin) => !allowedOrigins.has(origin))).toEqual([]);
      expect(await storedItemsOf(page)).toEqual([]);
    });
    await host.before?.(donor);
    await expect(donor.submitButton).toBeVisible();
    await donor.type();
    await host.afterTyping?.(donor);
    await expect(donor.card.getByLabel('Card number')).toHaveValue('4242 4242 4242 4242');
    await expect(donor.submitButton).toBeEnabled();
    if (isCompleted) await completeDonation(donor, host);
  });
}

test('the donation is completed in eight existing cases', () => {
  const names = CASES.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(COMPLETED_DONATIONS)));
  expect(Object.keys(COMPLETED_DONATIONS)).toHaveLength(8);
});

/** Submits the donation and checks that it was made once. */
async function completeDonation(donor: HostDonationPage, host: HostCase): Promise<void> {
  const { system, email } = donor;
  await donor.submitButton.click();
  await host.afterSubmit?.(donor);
  await expect(donor.thankYouHeading).toBeVisible();
  await host.after?.(donor);
  await expect
    .poll(() => donationsOf(system, email))
    .toMatchObject([{ amount_cents: 10_000, donor_name: 'Ada Lovelace' }]);
  expect(await intentsOf(system, email)).toHaveLength(1);
}
