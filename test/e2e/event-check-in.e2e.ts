import { expectAccessible } from './support/expect-accessible.ts';
import { expect, test } from './support/fixtures.ts';

test('an event from draft to check-in, without scripts', async ({ dashboard, page, monitor }) => {
  test.slow(); // Four pages with four accessibility checks each.
  monitor.allowErrors(/status of 400/);
  await dashboard.signIn();
  await dashboard.open('/events');
  await page.getByRole('link', { name: 'New event' }).click();
  await page.getByRole('textbox', { name: 'Capacity' }).fill('none');
  await page.getByRole('button', { name: 'Save draft' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Capacity' })).toHaveValue('none');
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveAccessibleDescription(
    'This field is required.',
  );
  await expectAccessible(page, 'an event with problems');

  const title = `Supper ${crypto.randomUUID()}`;
  await page.getByRole('textbox', { name: 'Title' }).fill(title);
  await page.getByRole('textbox', { name: 'Capacity' }).fill('1');
  await page.getByLabel('Starts').fill('2031-03-08T18:00');
  await page.getByRole('button', { name: 'Save draft' }).click();
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByRole('status')).toHaveText('Event published.');

  await page.getByRole('link', { name: 'Add registration' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Dorothy Vaughan');
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByText('1 of 1')).toBeVisible();
  await expectAccessible(page, 'an event with somebody');

  await page.getByRole('link', { name: 'Check in guests' }).click();
  await page.getByRole('searchbox', { name: 'Name or email' }).fill('vaugh');
  await page.getByRole('searchbox', { name: 'Name or email' }).press('Enter');
  await expectAccessible(page, 'the door, searched');
  await page.getByRole('button', { name: 'Check in Dorothy Vaughan' }).click();
  await expect(page.getByRole('status')).toHaveText('Dorothy Vaughan checked in.');
  await expect(page.getByText('No more guests expected.')).toBeVisible();
  await page.getByRole('button', { name: 'Undo Dorothy Vaughan' }).click();

  await page.goto(page.url().replace('/check-in', ''));
  await page.getByRole('link', { name: 'Dorothy Vaughan' }).click();
  await page.getByRole('link', { name: 'Cancel registration' }).click();
  await expectAccessible(page, 'a question before it is cancelled');
  await page.getByRole('button', { name: 'Cancel registration' }).click();
  await expect(page.getByText('Canceled', { exact: true })).toBeVisible();
});
