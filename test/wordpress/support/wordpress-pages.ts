import { expect, type FrameLocator, type Locator, type Page } from 'playwright/test';
import { PASSWORD, type WordPress } from './wordpress.ts';

/** The administration of WordPress, used by labels and roles only, as people do. */
export class WordPressPages {
  readonly page: Page;
  readonly #url: string;

  constructor(page: Page, { url }: WordPress) {
    this.page = page;
    this.#url = url;
  }

  /** @param person `admin`, or `editor`, who has no `unfiltered_html` */
  async signIn(person: 'admin' | 'editor'): Promise<void> {
    await this.page.goto(`${this.#url}/wp-login.php`);
    await this.page.getByLabel('Username or Email Address').fill(person);
    await this.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await this.page.getByRole('button', { name: 'Log In' }).click();
    await expect(this.page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
    // The tour of the editor opens once for each person, some time after the page.
    const tour = this.page.getByRole('dialog', { name: /Welcome/ });
    await this.page.addLocatorHandler(tour, async () => {
      await tour.getByRole('button', { name: /^Close/ }).click();
    });
  }

  async open(path: string): Promise<void> {
    await this.page.goto(`${this.#url}/wp-admin/${path}`);
  }

  /** Uploads a plugin and activates it. @param file path of the zip file */
  async installPlugin(file: string): Promise<void> {
    await this.open('plugin-install.php');
    await this.page.getByRole('button', { name: 'Upload Plugin' }).click();
    await this.page.getByLabel('Plugin zip file').setInputFiles(file);
    await this.page.getByRole('button', { name: 'Install Now' }).click();
    await this.page.getByRole('link', { name: 'Activate Plugin' }).click();
  }

  /** Opens the editor of a new post. */
  async newPost(title: string): Promise<void> {
    await this.open('post-new.php');
    await this.page.getByRole('textbox', { name: 'Add title' }).fill(title);
  }

  async insertBlock(name: string): Promise<void> {
    const toggle = this.page.getByRole('button', { name: 'Toggle block inserter' });
    await toggle.click();
    await this.page.getByRole('searchbox', { name: /^Search/ }).fill(name);
    // The icon of a block may add a character before its name.
    await this.page.getByRole('option', { name: new RegExp(`${name}$`) }).click();
    await toggle.click();
  }

  /** Adds the block with a form, and opens its settings. */
  async insertForm(form: string): Promise<void> {
    await this.insertBlock('Donation form');
    await this.page.getByRole('combobox', { name: 'Form' }).first().selectOption(form);
    const display = this.page.getByRole('combobox', { name: 'Display' });
    const settings = this.page.getByRole('button', { name: 'Settings', exact: true });
    if (!(await display.isVisible())) await settings.click();
    await expect(display).toBeVisible();
  }

  /** The form in the preview of the block. */
  get preview(): FrameLocator {
    return this.page.frameLocator('iframe[title="Preview of the donation form"]');
  }

  /** Publishes the post and opens it. */
  async publish(): Promise<void> {
    const publish = this.page.getByRole('button', { name: 'Publish', exact: true });
    await publish.click();
    const panel = this.page.getByRole('region', { name: 'Editor publish' });
    await panel.getByRole('button', { name: 'Publish', exact: true }).click();
    await panel.getByRole('link', { name: 'View Post' }).click();
    await expect(this.form).toBeVisible();
  }

  /** The form on a published page. */
  get form(): Locator {
    return this.page.locator('connect-donate');
  }

  /** Makes another theme active. */
  async activateTheme(theme: string): Promise<void> {
    await this.open(`themes.php?theme=${theme}`);
    const activate = this.page.getByRole('dialog').getByRole('link', { name: 'Activate' });
    if (await activate.isVisible()) await activate.click();
  }
}
