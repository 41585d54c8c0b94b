/**
 * Source of `connect.js`: finds the Connect tags of a page and imports the bundles that define
 * them.
 *
 * It is built without import and export, as one function, so that it works both as a module
 * (`<script type="module">`) and as a classic script (`<script async>`). It requests the form in
 * parallel with the bundle, so that only one round trip separates this script from a drawn form.
 * Reasons: docs/decisions/0014-element-bundles.md
 */
import { createPageState, embedFormUrl, type PageOptions } from './shared/page-state.ts';
import { serverAddress } from './shared/server-address.ts';

/** File names with their hashes, without `.js`, inserted by the build. */
declare const BUNDLES: Record<
  'donate' | 'tables' | 'all' | 'tablesBeside' | 'donateBeside' | 'goal',
  string
>;

/**
 * 1 if the form is part of this script (`bundles/script-with-form.ts`), else 0. Inserted by the
 * build.
 */
declare const FORM_INSIDE: number;

const ownUrl = (document.currentScript as HTMLScriptElement | null)?.src;

/**
 * Imports the bundle at an index. 1 is the form, 2 the tables, 3 both. When one kind is already
 * loaded and the other is added later, the index is the loaded kind plus 3: that bundle imports
 * the renderer from the first one, so that it is loaded once. 6 is the goal, which does not use it.
 *
 * In a module, `import()` resolves relative URLs against the module. A classic script of another
 * origin has no base URL, but `document.currentScript` gives its URL while it runs.
 */
const loadBundle = (index: number) =>
  import(
    /* @vite-ignore */ `${ownUrl ? new URL('.', ownUrl) : './'}${
      [
        ,
        BUNDLES.donate,
        BUNDLES.tables,
        BUNDLES.all,
        BUNDLES.tablesBeside,
        BUNDLES.donateBeside,
        BUNDLES.goal,
      ][index]
    }.js`
  );

const queryAll = (tags: string) => document.querySelectorAll<HTMLElement>(tags);

/**
 * The script's URL. In a module it is read from the tag: `import.meta` would be a syntax error in a
 * classic script.
 */
const script = ownUrl ?? (queryAll('[src*="connect.js"]')[0] as HTMLScriptElement | undefined)?.src;

const pageState = createPageState();

/** @throws {TypeError} if the `server` attribute is not a valid URL */
function prefetchForm(tag: Element) {
  const server = serverAddress(tag.getAttribute('server'), script);
  const url = embedFormUrl({ server, name: tag.getAttribute('form') });
  // A form in a dialog requests nothing before the dialog is opened.
  if (pageState!.requests[url] || tag.getAttribute('display')) return;
  // The same timeout as in `form/load-form.ts`.
  const response = fetch(url, { signal: AbortSignal.timeout(15_000) });
  // The element reports the failure; this only prevents an "unhandled rejection" in the console.
  response.catch(() => {});
  pageState!.requests[url] = { response };
}

// If a page has the script twice, only the first copy runs.
if (pageState) {
  // Object.assign also defines the global on a page with an element whose id is `ConnectEmbed`.
  Object.assign(window, {
    ConnectEmbed: {
      /** Sets the page's options for tables. Without options it signs the viewer out. */
      init(options?: PageOptions) {
        pageState.options = options;
        pageState.init?.();
      },
    },
  });
  /** Bit mask of what is loaded: 1 for the form, 2 for the tables. */
  let loaded = FORM_INSIDE;
  let goal = 0;
  const scan = () => {
    const forms = loaded & 1 ? [] : queryAll('connect-donate');
    const table =
      loaded < 2 &&
      queryAll(
        'connect-donations,connect-donors,connect-payouts,connect-donation-details,connect-payout-details',
      )[0];
    const bundles = (forms[0] ? 1 : 0) + (table ? 2 : 0);
    if (bundles) void loadBundle(loaded ? loaded + 3 : bundles);
    loaded += bundles;
    if (!goal && queryAll('connect-goal')[0]) void loadBundle((goal = 6));
    try {
      if (!FORM_INSIDE) forms.forEach(prefetchForm);
    } catch {
      // The element itself reports the invalid URL.
    }
  };
  // Not disconnected after both bundles are loaded: the code for that would cost more bytes than it
  // saves work.
  new MutationObserver(scan).observe(document, { childList: true, subtree: true });
  scan();
  // If no tag was found, it may be inside the shadow root of another element, so all elements are
  // defined.
  setTimeout(
    () =>
      loaded > FORM_INSIDE ||
      goal ||
      (FORM_INSIDE && queryAll('connect-donate')[0]) || [
        loadBundle(FORM_INSIDE + (loaded = 3)),
        loadBundle((goal = 6)),
      ],
    1000,
  );
}
