import { expect, type Page } from 'playwright/test';
import type { Addresses } from '../../support/system.ts';

export const mailboxAddress = ({ api_base }: Pick<Addresses, 'api_base'>) =>
  `${api_base.replace('/api/v1', '')}/dev/mailbox`;

/** Opens the newest email to an address in the development mailbox. */
export async function openEmailTo(page: Page, system: Addresses, email: string, subject: RegExp) {
  const rows = page.getByRole('row').filter({ hasText: email });
  await expect(async () => {
    await page.goto(mailboxAddress(system));
    await rows.first().getByRole('link').click({ timeout: 10_000 });
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(subject, { timeout: 2000 });
  }).toPass();
  return (await page.locator('#text').textContent()) ?? '';
}
