/**
 * Source of `connect.js`: finds the Connect tags of a page and imports the chunks that define them.
 *
 * It is built as one function without `import` and `export`, so that it works both as a module
 * (`<script type="module">`) and as a classic script (`<script async>`). It requests the chunks and the
 * data of the forms in parallel, so that one round trip separates this script from a drawn form:
 * docs/decisions/0014-element-bundles.md
 */
import { createPageState, embedFormUrl, type PageOptions } from './shared/page-state.ts';
import { serverAddress } from './shared/server-address.ts';

/** File names with their hashes, inserted by the build. */
declare const FILES: Record<'base' | 'donate' | 'tables' | 'goal', string>;

/** The address of the server, which the server inserts. A placeholder where something else serves the script. */
declare const SERVER_ADDRESS: string;

/** The chunk that defines each kind of element. All of them import the base chunk. */
const CHUNKS = [
  { file: FILES.donate, tags: 'connect-donate' },
  {
    file: FILES.tables,
    tags: 'connect-donations,connect-donors,connect-payouts,connect-donation-details,connect-payout-details',
  },
  { file: FILES.goal, tags: 'connect-goal' },
];

/** How long to wait for a tag before all elements are defined. */
const NO_TAG_TIMEOUT_MS = 1000;
/** The same timeout as in `shared/http.ts`. */
const REQUEST_TIMEOUT_MS = 15_000;

/** What the owner of a page can do about a copy of the script. */
const EXCLUDE = 'If this site combines, copies or delays scripts, exclude connect.js from that.';

/** The URL of this script if it is a classic script; undefined in a module, empty in an inline script. */
const ownUrl = (document.currentScript as HTMLScriptElement | null)?.src;

/**
 * The URL of this script. In a module it is read from the tag: `import.meta` would be a syntax error in
 * a classic script. Undefined if another module has imported this one.
 */
const scriptUrl =
  ownUrl || [...document.scripts].find(({ src }) => /\/connect\.js(?:[?#]|$)/.test(src))?.src;

/** Whether this script is a copy, which optimizers of websites serve from elsewhere. */
const isCopy = URL.canParse(SERVER_ADDRESS) && !scriptUrl?.startsWith(`${SERVER_ADDRESS}/`);

/**
 * Imports a file that is beside this script. In a module, `import()` resolves a relative URL against
 * the module. In a classic script of another origin it has no base URL. A copy imports from the server.
 */
async function importFile(file: string): Promise<unknown> {
  try {
    return await import(/* @vite-ignore */ ownUrl ? new URL(file, ownUrl).href : `./${file}`);
  } catch (error) {
    if (!isCopy) throw error;
    const module: unknown = await import(/* @vite-ignore */ `${SERVER_ADDRESS}/${file}`);
    console.warn(`connect.js runs as a copy, without ${file} beside it. ${EXCLUDE}`);
    return module;
  }
}

const pageState = createPageState();
const loadedFiles = new Set<string>();

/** Imports a chunk once. The base chunk is requested with it instead of after it. */
function loadChunk(file: string) {
  if (loadedFiles.has(file)) return;
  loadedFiles.add(file);
  // Not tried again: a page may change many times a second, and each change calls this function.
  Promise.all([importFile(FILES.base), importFile(file)]).catch((error: unknown) =>
    console.error(`connect.js could not load its parts. Reload the page. ${EXCLUDE}`, error),
  );
}

/** Requests the data of the forms on the page, unless their chunk is loaded and does that. */
function prefetchForms() {
  if (loadedFiles.has(FILES.donate)) return;
  for (const tag of document.querySelectorAll('connect-donate')) {
    // A form in a dialog requests nothing before the dialog is opened.
    if (!tag.getAttribute('display')) prefetchForm(tag);
  }
}

function prefetchForm(tag: Element) {
  const { requests } = pageState!;
  let url: string;
  try {
    const loadedFrom = isCopy ? `${SERVER_ADDRESS}/connect.js` : scriptUrl;
    const server = serverAddress(tag.getAttribute('server'), loadedFrom);
    url = embedFormUrl({ server, name: tag.getAttribute('form') });
  } catch {
    return; // The element reports the invalid URL.
  }
  if (requests[url]) return;
  const response = fetch(url, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
  // The element reports the failure; this only prevents an "unhandled rejection" in the console.
  response.catch(() => {});
  requests[url] = { response };
}

function scan() {
  prefetchForms();
  for (const { file, tags } of CHUNKS) {
    if (document.querySelector(tags)) loadChunk(file);
  }
  if (loadedFiles.size === CHUNKS.length) observer.disconnect();
}

const observer = new MutationObserver(scan);

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
  observer.observe(document, { childList: true, subtree: true });
  scan();
  // If no tag was found, it may be inside the shadow root of another element, so all elements are
  // defined.
  setTimeout(() => {
    if (!loadedFiles.size) for (const { file } of CHUNKS) loadChunk(file);
  }, NO_TAG_TIMEOUT_MS);
}
