/** Draws the operations with Swagger UI, in the reader's color scheme, and searches the contents. */
const dark = matchMedia('(prefers-color-scheme: dark)');
const applyColorScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', applyColorScheme);
applyColorScheme();

const reference = window.SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  domNode: document.querySelector('#swagger-ui'),
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  requestSnippetsEnabled: true,
  plugins: [
    {
      // The page itself begins with the title and an introduction.
      wrapComponents: { InfoContainer: () => () => null },
      statePlugins: {
        auth: {
          wrapSelectors: {
            // An access token is entered like an API key: no app is registered with this page's address.
            definitionsToAuthorize:
              (select) =>
              (...parameters) =>
                select(...parameters)?.filter((definition) => !definition.has('oauth2')),
          },
        },
        layout: {
          // Swagger UI would scroll the operation below the bar of the page.
          wrapActions: { scrollToElement: () => (element) => element.scrollIntoView() },
        },
      },
    },
  ],
});

const contents = document.querySelector('#contents');
// Swagger UI reads the fragment only once, when the page is loaded.
addEventListener('hashchange', () => {
  contents.hidePopover();
  reference.layoutActions.parseDeepLinkHash(location.hash);
  const [, tag, operation] = location.hash.split('/');
  document.getElementById(`operations-${tag}-${operation}`)?.scrollIntoView();
});

const search = contents.querySelector('input');
search.hidden = false;
search.addEventListener('input', () => {
  const text = search.value.trim().toLowerCase();
  for (const item of contents.querySelectorAll('li')) {
    const { path = '' } = item.dataset;
    item.hidden = !`${path} ${item.textContent}`.toLowerCase().includes(text);
  }
});
