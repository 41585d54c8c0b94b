import { expect, type Page } from 'playwright/test';

/** The public demo password, which the sign-in page shows with the sandbox. */
const PASSWORD = 'harbor-street-demo';

export const OWNER = 'owner@harborstreet.example';
export const VOLUNTEER = 'volunteer@harborstreet.example';

/** The dashboard of the running system, for a signed-in member. */
export class Dashboard {
  readonly page: Page;
  readonly #home: string;

  constructor(page: Page, origin: string, organization = 'org_harbor') {
    this.page = page;
    this.#home = `${origin}/dashboard/${organization}`;
  }

  async signIn(email = OWNER): Promise<void> {
    await this.page.goto(this.#home);
    await this.page.getByLabel('Email').fill(email);
    await this.page.getByLabel('Password').fill(PASSWORD);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await expect(this.page.getByRole('heading', { level: 1 })).toBeVisible();
  }

  /**
   * @param path below the organization, or an absolute path that starts with `/dashboard`
   */
  async open(path: string): Promise<void> {
    const url = path.startsWith('/dashboard') ? new URL(path, this.#home).href : this.#home + path;
    const response = await this.page.goto(url);
    expect(response?.status(), `${path} answers`).toBeLessThan(400);
  }

  /** Follows the first row's link in the open list. */
  async openFirstRow(): Promise<void> {
    await this.page.getByRole('rowheader').first().getByRole('link').click();
    await expect(this.page.locator('.back')).toBeVisible();
  }
}
