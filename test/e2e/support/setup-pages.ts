import { expect, type Page } from 'playwright/test';

/** Creates the owner and the organization. */
export async function setUp(page: Page, setupLink: string): Promise<void> {
  await page.goto(setupLink);
  await page.getByRole('button', { name: 'Start setup' }).click();
  await fillOwner(page);
  await fillOrganization(page);
}

export async function fillOwner(page: Page): Promise<void> {
  await page.getByLabel('Your name').fill('Rosa Gardner');
  await page.getByLabel('Email').fill('rosa@garden.example');
  await page.getByLabel('Password').fill('four words are enough');
  await page.getByRole('button', { name: 'Continue' }).click();
}

export async function fillOrganization(page: Page): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill('Garden Friends');
  await page.getByLabel('Contact email').fill('hello@garden.example');
  await page.getByLabel('Tax ID').fill('12-3456789');
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** Fills in the page of the keys. */
export async function enterKeys(page: Page, mode: 'test' | 'live' = 'test'): Promise<void> {
  await page.getByLabel('Publishable key').fill(`pk_${mode}_own_garden`);
  await page.getByLabel('Secret key').fill(`sk_${mode}_own_garden`);
  await page.getByRole('button', { name: 'Check and save keys' }).click();
  await expect(page.getByText('You can take card payments')).toBeVisible();
}

/** Creates and publishes the form `seeds`. */
export async function publishForm(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Create a form', exact: true }).click();
  await page.getByLabel('Name', { exact: true }).fill('Seeds');
  await page.getByRole('radio', { name: /^Fixed amounts/ }).check();
  await page.getByRole('button', { name: 'Create form' }).click();
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Published. Pages show this version')).toBeVisible();
}

/** Allows the website, and returns the code for its pages. */
export async function allowWebsite(page: Page, website: string): Promise<string> {
  await page.getByRole('link', { name: 'Allow a website', exact: true }).click();
  await page.getByRole('textbox', { name: 'Website' }).fill(website);
  await page.getByRole('button', { name: 'Add website' }).click();
  await page.getByRole('link', { name: 'Copy the code', exact: true }).click();
  return await page.getByLabel('Code for your website').inputValue();
}
