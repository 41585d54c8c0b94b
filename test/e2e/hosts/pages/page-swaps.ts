import { FORM, type HostCase } from '../host-case.ts';

/** Sites that change pages without a full page load. */

const links = (path: string) =>
  `<nav><a href="${path}">Home</a> <a href="${path}/give">Give</a></nav>`;

export const pageSwaps: HostCase[] = [
  {
    name: 'a page that htmx swaps in',
    page: ({ script }) => ({
      head: `${script}<script src="/hosts/files/htmx.org/dist/htmx.min.js"></script>`,
      body: '<main><button hx-get="/hosts/a-page-that-htmx-swaps-in/give" hx-target="main">Give now</button></main>',
    }),
    parts: () => ({
      give: {
        body: `<button hx-get="/hosts/a-page-that-htmx-swaps-in/home" hx-target="main">Home</button>${FORM}`,
      },
      home: {
        body: '<button hx-get="/hosts/a-page-that-htmx-swaps-in/give" hx-target="main">Give now</button>',
      },
    }),
    before: async ({ page, submitButton }) => {
      await page.getByRole('button', { name: 'Give now' }).click();
      await submitButton.waitFor();
      await page.getByRole('button', { name: 'Home' }).click();
      await submitButton.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Give now' }).click();
    },
  },
  {
    name: 'pages that Turbo swaps',
    page: ({ script }) => turboPage(script, '<h1>Home</h1>'),
    parts: ({ script }) => ({ give: turboPage(script, FORM) }),
    before: async ({ page, submitButton, form }) => {
      const go = (name: string) => page.getByRole('link', { name }).click();
      await go('Give');
      await submitButton.waitFor();
      await form.getByLabel(/^Name\b/).fill('Somebody');
      await page.locator('iframe').waitFor({ state: 'attached' });
      await go('Home');
      await page.getByRole('heading', { name: 'Home' }).waitFor();
      await page.goBack(); // Turbo restores the page from its cache.
      await submitButton.waitFor();
    },
  },
];

function turboPage(script: string, body: string) {
  const turbo =
    '<script type="module" src="/hosts/files/@hotwired/turbo/dist/turbo.es2017-esm.js"></script>';
  return { head: turbo, body: script + links('/hosts/pages-that-turbo-swaps') + body };
}
