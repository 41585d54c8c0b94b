/**
 * The whole of `connect.js`: sees which tags a page uses and fetches the bundles that draw them.
 *
 * Built without import and export, in one function, so that it works as `<script type="module">`
 * and as a classic `<script async>` alike. The form's session is asked for at the same moment as
 * the bundle, so that one round trip lies between this script and a drawn form.
 * Reasons: docs/decisions/0014-element-bundles.md
 */
import { createPageState, embedSessionUrl, type PageOptions } from './internal/page-state.ts';
import { serverAddress } from './internal/server-address.ts';

/** File names with their hashes, without `.js`; the build puts them in. */
declare const BUNDLES: Record<
  'donate' | 'tables' | 'all' | 'tablesBeside' | 'donateBeside' | 'goal',
  string
>;

/** 1 where the form comes in this very script, `bundles/script-with-session.ts`, else 0; the build puts it in. */
declare const FORM_INSIDE: number;

const ownUrl = (document.currentScript as HTMLScriptElement | null)?.src;

/**
 * Fetches the bundle at a place: what is wanted, as the sum of 1 for the form and 2 for tables; or
 * 3 more than what is there when the other comes later, which borrows its Lit, for a second copy
 * would be refused under Trusted Types. The goal borrows nothing.
 *
 * A module's `import()` counts from the module. A classic script of another origin has no address
 * for it to count from, but says its own while it runs.
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

/** A module does not know its own address here: `import.meta` would bar the classic tag. */
const script = ownUrl ?? (queryAll('[src*="connect.js"]')[0] as HTMLScriptElement | undefined)?.src;

const pageState = createPageState();

/** @throws {TypeError} for a bad address */
function startSession(tag: Element) {
  const server = serverAddress(tag.getAttribute('server'), script);
  const key = embedSessionUrl(server, tag.getAttribute('form'));
  // One that stands apart asks for nothing before it is opened.
  if (pageState!.started.has(key) || tag.getAttribute('display')) return;
  const response = fetch(key, {
    method: 'POST',
    signal: AbortSignal.timeout(15_000), // As long as the element itself would wait.
  });
  response.catch(() => {}); // The element tells of the failure; the console need not, too.
  pageState!.started.set(key, response);
}

// A page may paste the script twice: the first copy wins.
if (pageState) {
  /** `connect.init(options)`; without options the viewer has signed out. */
  const init = (options?: PageOptions) => {
    pageState.options = options;
    pageState.init?.();
  };
  // A page that has a `connect` of its own keeps it, and says `<connect-provider>` instead.
  // (An element with the id `connect` is no property of the window itself.)
  if (!Object.hasOwn(window, 'connect')) Object.assign(window, { connect: { init } });
  /** 1 for the form, and 2 for tables. */
  let loaded = FORM_INSIDE;
  let goal = 0;
  const scan = () => {
    const forms = loaded & 1 ? [] : queryAll('connect-donate');
    const table =
      loaded < 2 &&
      queryAll(
        'connect-donations,connect-donors,connect-payouts,connect-donation-details,connect-payout-details',
      )[0];
    const wanted = (forms[0] ? 1 : 0) + (table ? 2 : 0);
    if (wanted) void loadBundle(loaded ? loaded + 3 : wanted);
    loaded += wanted;
    if (!goal && queryAll('connect-goal')[0]) void loadBundle((goal = 6));
    try {
      if (!FORM_INSIDE) forms.forEach(startSession);
    } catch {
      // The element names the bad address.
    }
  };
  // Looks twice for nothing when both are there, which costs less than to stop it.
  new MutationObserver(scan).observe(document, { childList: true, subtree: true });
  scan();
  // Seen nowhere: perhaps in the shadow root of another element. Defined tags come to life anywhere.
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
