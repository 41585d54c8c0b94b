import { expect } from 'playwright/test';
import { FORM, type HostCase } from '../host-case.ts';
import { cardFrameIn, type HostDonationPage } from '../host-donor.ts';

/** Where a form can be in a page, and where it can be moved during a donation. */

const shadowRootScript = (mode: string, inside: string) => `
  customElements.define('${mode}-card', class extends HTMLElement {
    connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = ${JSON.stringify(inside)}; }
  });`;

/** Stripe.js logs this error if a page removes the card form while the card is charged. */
const CARD_FRAME_REMOVED =
  /IntegrationError: We could not retrieve data from the specified Element/;

/**
 * A card frame that is moved reloads: either the donation was already submitted, or the donor
 * enters the card again.
 */
async function donateAgainIfNeeded(donor: HostDonationPage) {
  await expect(donor.thankYouHeading.or(donor.form.locator('[part=message]'))).toBeVisible();
  if (await donor.thankYouHeading.isVisible()) return;
  await donor.expectFieldsKept();
  await donor.fillCard();
  await donor.submitButton.click();
}

export const placements: HostCase[] = [
  {
    name: 'inside a shadow root',
    page: ({ script }) => ({
      head: script,
      body: `<section><template shadowrootmode="open"><h2>Help</h2>${FORM}</template></section>`,
    }),
  },
  {
    name: 'inside nested shadow roots of an element that is defined late',
    page: ({ script }) => ({ head: script, body: '<outer-card></outer-card>' }),
    before: async ({ page }) => {
      await page.waitForLoadState('networkidle');
      await page.addScriptTag({
        content: shadowRootScript('outer', '<p><inner-card></inner-card></p>'),
      });
      await page.addScriptTag({ content: shadowRootScript('inner', `<main>${FORM}</main>`) });
    },
  },
  {
    name: 'added to an existing shadow root',
    page: ({ script }) => ({ head: script, body: '<div id="host"></div>' }),
    before: async ({ page }) => {
      await page.locator('#host').evaluate((host) => host.attachShadow({ mode: 'open' }));
      await page.waitForLoadState('networkidle');
      await page.locator('#host').evaluate((host, form) => {
        host.shadowRoot!.innerHTML = `<p>${form}</p>`;
        host.append('touched'); // As any rendering of the page would do.
      }, FORM);
    },
  },
  {
    name: 'moved after the card was entered',
    page: ({ script }) => ({ head: script, body: `<div>${FORM}</div><main></main>` }),
    afterTyping: async (donor) => {
      await donor.page.evaluate(() => {
        document.querySelector('main')!.append(document.querySelector('connect-donate')!);
      });
      await donor.expectFieldsKept();
      await donor.fillCard();
    },
  },
  {
    name: 'cloned after the card was entered',
    page: ({ script }) => ({ head: script, body: `<div>${FORM}</div><main></main>` }),
    afterTyping: async ({ page, system }) => {
      const cards = page.locator(`iframe[src^="${system.sandbox}"]`);
      await expect(cards).toHaveCount(1);
      await page.evaluate(() => {
        const form = document.querySelector('connect-donate')!;
        document.querySelector('main')!.append(form.cloneNode(true));
      });
      const clone = page.locator('main connect-donate');
      await expect(clone.getByRole('button', { name: /^Give\b[^?]*$/ })).toBeVisible();
      await expect(cards, 'the clone has no card of the first').toHaveCount(1);
      await expect(clone.getByRole('button', { name: /^Give\b[^?]*$/ })).toBeEnabled();
    },
  },
  {
    name: 'removed and added again after the card was entered',
    page: ({ script }) => ({ head: script, body: `<main>${FORM}</main>` }),
    afterTyping: async (donor) => {
      await donor.page.evaluate(async () => {
        const form = document.querySelector('connect-donate')!;
        form.remove();
        // Longer than an element that is only moved is away.
        await new Promise((resolve) => setTimeout(resolve, 300));
        document.querySelector('main')!.append(form);
      });
      await donor.expectFieldsKept();
      await donor.fillCard();
    },
  },
  {
    name: 'removed and added again while a donation is processed',
    allowedErrors: CARD_FRAME_REMOVED,
    page: ({ script }) => ({ head: script, body: `<main>${FORM}</main>` }),
    afterSubmit: async (donor) => {
      await donor.page.evaluate(async () => {
        const form = document.querySelector('connect-donate')!;
        form.remove();
        // Longer than an element that is only moved is away.
        await new Promise((resolve) => setTimeout(resolve, 300));
        document.querySelector('main')!.append(form);
      });
      await donateAgainIfNeeded(donor);
    },
  },
  {
    name: 'two forms on one page',
    page: ({ script }) => ({
      head: script,
      body: `${FORM}<main><connect-donate form="default"></connect-donate></main>`,
    }),
    before: async (donor) => {
      await donor.form.getByLabel(/^Name\b/).fill('Somebody else');
      await expect(cardFrameIn(donor.form, donor.system).getByLabel('Card number')).toBeVisible();
      donor.form = donor.page.locator('main connect-donate');
      donor.card = cardFrameIn(donor.form, donor.system);
    },
    after: async ({ page }) => {
      const first = page.locator('connect-donate').first();
      await expect(first.getByLabel(/^Name\b/)).toHaveValue('Somebody else');
      await expect(first.getByRole('button', { name: /^Give\b[^?]*$/ })).toBeEnabled();
    },
  },
];
