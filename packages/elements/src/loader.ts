/**
 * The whole of `connect.js`: sees which tags a page uses and fetches the one bundle that draws them.
 *
 * Built without import and export, in one function, so that it works as `<script type="module">`
 * and as a classic `<script async>` alike. The form's session is asked for at the same moment as
 * the bundle, so that one round trip lies between this script and a drawn form.
 * Reasons: docs/decisions/0014-element-bundles.md
 */
import { findShare, formKey, formRequest, makeShare } from './internal/page.ts';
import { serverAddress } from './internal/server-address.ts';

/** File names with their hashes; the build puts them in. */
declare const BUNDLES: Record<
  'donate' | 'tables' | 'all' | 'donateBeside' | 'tablesBeside',
  string
>;

const DONATE = 'connect-donate';
const TABLES = 'connect-donations,connect-donors,connect-payouts';

/**
 * A module's `import()` counts from the module. A classic script of another origin has no address
 * for it to count from, but says its own while it runs.
 */
const ownUrl = (document.currentScript as HTMLScriptElement | null)?.src;
const address = (file: string) => (ownUrl ? new URL(file, ownUrl).href : `./${file}`);

/** A module does not know its own address here: `import.meta` would bar the classic tag. */
const scriptUrl = () =>
  ownUrl ?? document.querySelector<HTMLScriptElement>('script[src*="connect.js"]')?.src;

function startSession(tag: Element, script: string, started: Map<string, Promise<Response>>) {
  const form = tag.getAttribute('form');
  const server = serverAddress(tag.getAttribute('server'), script);
  const key = formKey(server, form);
  if (started.has(key)) return;
  const answer = fetch(`${server}/embed-sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: formRequest(form),
    signal: AbortSignal.timeout(15_000), // As long as the element itself would wait.
  });
  answer.catch(() => {}); // The element tells of the failure; the console need not, too.
  started.set(key, answer);
}

function load() {
  const { started } = makeShare();
  const script = scriptUrl();
  let donate = 0;
  let tables = 0;
  const look = () => {
    const forms = donate ? [] : [...document.querySelectorAll(DONATE)];
    const wantsTables = !tables && document.querySelector(TABLES);
    // A second copy of Lit would be refused under Trusted Types, so a latecomer borrows the first.
    const file = forms[0]
      ? wantsTables
        ? BUNDLES.all
        : tables
          ? BUNDLES.donateBeside
          : BUNDLES.donate
      : wantsTables && (donate ? BUNDLES.tablesBeside : BUNDLES.tables);
    if (!file) return;
    if (forms[0]) donate = 1;
    if (wantsTables) tables = 1;
    if (donate && tables) observer.disconnect();
    import(/* @vite-ignore */ address(file)).catch(console.error);
    try {
      if (script) forms.forEach((form) => startSession(form, script, started));
    } catch {
      // A bad address: the element names it.
    }
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { childList: true, subtree: true });
  look();
}

// A page may paste the script twice: the first copy wins.
if (!findShare()) load();
