import { expect } from 'playwright/test';
import { FORM, type HostCase } from '../host-case.ts';
import type { HostDonationPage } from '../host-donor.ts';

/** Pages whose style sheets match every element. */

/** Checks that the form and the card form have their usual width and are on the page. */
async function expectLayoutIntact({ page, form, system }: HostDonationPage) {
  await expect.poll(async () => (await form.boundingBox())?.width).toBeGreaterThan(400);
  const card = page.locator(`iframe[src^="${system.sandbox}"]`).first();
  await expect.poll(async () => (await card.boundingBox())?.width).toBeGreaterThan(350);
  const font = await form.getByRole('button', { name: /^Give\b[^?]*$/ }).evaluate((node) => {
    return Number.parseFloat(getComputedStyle(node).fontSize);
  });
  expect(font).toBeGreaterThanOrEqual(16);
}

export const styles: HostCase[] = [
  {
    name: 'a style sheet that resets everything',
    page: ({ script }) => ({
      head: `<style>* { all: unset !important } head, title, style, script { display: none !important }
        body { display: block !important }</style>`,
      body: script + FORM,
    }),
    afterTyping: expectLayoutIntact,
  },
  {
    name: 'Bootstrap',
    page: ({ script }) => ({
      head: '<link rel="stylesheet" href="/hosts/files/bootstrap/dist/css/bootstrap.min.css">',
      body: `${script}<main class="container py-5"><div class="row"><div class="col-8">${FORM}
        </div></div></main>`,
    }),
    afterTyping: expectLayoutIntact,
  },
  {
    name: 'Tailwind',
    page: ({ script }) => ({
      head: '<link rel="stylesheet" href="/hosts/files/tailwindcss/preflight.css">',
      body: `${script}<main>${FORM}</main>`,
    }),
    afterTyping: expectLayoutIntact,
  },
];
