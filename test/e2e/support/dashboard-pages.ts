import { expect, type Cookie, type Page } from 'playwright/test';

/** The public demo password, which the sign-in page shows with the sandbox. */
const PASSWORD = 'harbor-street-demo';

export const OWNER = 'owner@harborstreet.example';
export const VOLUNTEER = 'volunteer@harborstreet.example';

/** Cookies of members whom this worker process has signed in, by email address. */
const sessions = new Map<string, Cookie[]>();

/** The dashboard of the running system, for a signed-in member. */
export class Dashboard {
  readonly page: Page;
  readonly #home: string;

  constructor(page: Page, origin: string, organization = 'org_harbor') {
    this.page = page;
    this.#home = `${origin}/dashboard/${organization}`;
  }

  /** Signs a member in, with the password only in the first test of a worker. */
  async signIn(email = OWNER): Promise<void> {
    const context = this.page.context();
    await context.addCookies(sessions.get(email) ?? []);
    await this.page.goto(this.#home);
    if (!this.page.url().startsWith(this.#home)) await this.#enterPassword(email);
    await expect(this.page.getByRole('heading', { level: 1 })).toBeVisible();
    sessions.set(email, await context.cookies());
  }

  async #enterPassword(email: string): Promise<void> {
    await this.page.getByLabel('Email').fill(email);
    await this.page.getByLabel('Password').fill(PASSWORD);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await this.page.waitForURL(`${this.#home}**`);
  }

  /**
   * @param path below the organization, or an absolute path that starts with `/dashboard`
   */
  async open(path: string): Promise<void> {
    const url = path.startsWith('/dashboard') ? new URL(path, this.#home).href : this.#home + path;
    const response = await this.page.goto(url);
    expect(response?.status(), `${path} answers`).toBeLessThan(400);
    expect(this.page.url(), 'a member is signed in').not.toContain('/sign-in');
  }

  /** Follows the first link of a row in the open page. */
  async openFirstRow(): Promise<void> {
    await this.page.getByRole('rowheader').getByRole('link').first().click();
    await expect(this.page.locator('.back')).toBeVisible();
  }
}
