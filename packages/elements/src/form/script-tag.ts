/** Timeout of loading a script: a content blocker may let a request hang instead of rejecting it. */
export const SCRIPT_TIMEOUT_MS = 20_000;

interface ScriptPolicy {
  createScriptURL(url: string): string;
}
interface TrustedTypes {
  createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy;
}

let allowedUrl = '';
let policy: ScriptPolicy | undefined;

/**
 * Adds a third-party script to the page, also under Trusted Types: such pages allow our policy by
 * its name, `trusted-types connect`.
 *
 * @param isLoaded whether the script has defined what is needed from it
 * @throws {Error} if the script cannot be loaded: blocked or offline. A later call tries again.
 */
export async function addScript(url: string, isLoaded: () => boolean): Promise<void> {
  const found = [...document.scripts].find(({ src }) => src === url);
  const script = found ?? document.createElement('script');
  const loaded = waitForLoad(script);
  if (!found) {
    script.async = true;
    script.src = toTrustedUrl(url);
    document.head.append(script);
  }
  try {
    await loaded;
    if (!isLoaded()) throw new Error(`${url} did not define its global variable.`);
  } catch (error) {
    script.remove();
    throw error;
  }
}

/**
 * Makes `window[name]` undefined where it is an element of the page with this id.
 *
 * `<h2 id="Stripe">` is `window.Stripe` to every script until one assigns the property (HTML: named
 * access on the Window object), so Stripe's loader would take the heading for its library.
 */
export function hideNamedElement(name: string): void {
  if (!Object.hasOwn(window, name)) Reflect.set(window, name, undefined);
}

function waitForLoad(script: HTMLScriptElement): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error(`${script.src} could not be loaded.`));
    const timer = setTimeout(fail, SCRIPT_TIMEOUT_MS);
    const once = { once: true };
    script.addEventListener('load', () => (clearTimeout(timer), resolve()), once);
    script.addEventListener('error', () => (clearTimeout(timer), fail()), once);
  });
}

function toTrustedUrl(url: string): string {
  const trustedTypes = (window as { trustedTypes?: TrustedTypes }).trustedTypes;
  allowedUrl = url;
  policy ??= trustedTypes?.createPolicy('connect', {
    createScriptURL: (requestedUrl) => {
      if (requestedUrl !== allowedUrl)
        throw new TypeError(`${requestedUrl} is not the script that the form requested.`);
      return requestedUrl;
    },
  });
  return policy ? policy.createScriptURL(url) : url;
}
