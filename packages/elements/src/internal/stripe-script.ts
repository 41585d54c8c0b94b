/** Live money is taken with the processor's own script and no other. */
const LIVE_ORIGIN = 'https://js.stripe.com/';
/** A blocker may let a request hang instead of refusing it. */
const TIMEOUT_MS = 20_000;

interface ScriptPolicy {
  createScriptURL(url: string): string;
}
interface TrustedTypes {
  createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy;
}

let allowedUrl = '';
let policy: ScriptPolicy | undefined;

/**
 * Puts the processor's script on the page and waits until `window.Stripe` is there.
 *
 * `@stripe/stripe-js` would assign a bare string as the address, which a page under Trusted Types
 * refuses; it takes `window.Stripe` when it finds it. One that the page already has is kept.
 *
 * @throws {Error} when the script cannot be had: blocked, offline, or not allowed for live money
 */
export async function addStripeScript(url: string, livemode: boolean): Promise<void> {
  if (window.Stripe) return;
  if (livemode && !url.startsWith(LIVE_ORIGIN)) {
    throw new Error(`A live form takes cards with ${LIVE_ORIGIN} only, not ${url}.`);
  }
  const found = [...document.scripts].find(({ src }) => src === url);
  const script = found ?? document.createElement('script');
  const loaded = waitFor(script);
  if (!found) {
    script.async = true;
    script.src = trusted(url);
    document.head.append(script);
  }
  try {
    await loaded;
    if (!window.Stripe) throw new Error(`${url} did not bring Stripe.`);
  } catch (error) {
    script.remove(); // The next try asks again.
    throw error;
  }
}

function waitFor(script: HTMLScriptElement): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error(`${script.src} could not be loaded.`));
    const timer = setTimeout(fail, TIMEOUT_MS);
    const once = { once: true };
    script.addEventListener('load', () => (clearTimeout(timer), resolve()), once);
    script.addEventListener('error', () => (clearTimeout(timer), fail()), once);
  });
}

/** The page allows the policy by name: `trusted-types lit-html connect`. */
function trusted(url: string): string {
  const trustedTypes = (window as { trustedTypes?: TrustedTypes }).trustedTypes;
  allowedUrl = url;
  policy ??= trustedTypes?.createPolicy('connect', {
    createScriptURL: (asked) => {
      if (asked !== allowedUrl) throw new TypeError(`${asked} is not the card processor's script.`);
      return asked;
    },
  });
  return policy ? policy.createScriptURL(url) : url;
}
