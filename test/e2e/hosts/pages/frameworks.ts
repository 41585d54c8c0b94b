import { expect } from 'playwright/test';
import type { HostCase } from '../host-case.ts';

/**
 * Applications in several frameworks around the form: `../apps/`. Each renders the form, passes it
 * a name, counts its events, and renders again on every event.
 */
const app = (title: string, name: string): HostCase => ({
  name: `inside ${title}`,
  page: ({ script }) => ({
    head: script,
    body: `<div id="app"></div><script type="module" src="/hosts/apps/${name}.js"></script>`,
  }),
  afterTyping: async ({ page }) => {
    await expect(page.locator('#changes')).not.toHaveText('0');
  },
  after: async ({ page }) => {
    await expect(page.locator('#thanked')).toHaveText('1');
  },
});

export const frameworks: HostCase[] = [
  app('React 19', 'react'),
  app('Vue 3', 'vue'),
  app('Svelte 5', 'svelte'),
  app('Angular', 'angular'),
];
