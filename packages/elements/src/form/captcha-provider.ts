import { addScript, hideNamedElement, SCRIPT_TIMEOUT_MS } from './script-tag.ts';

/** A third-party CAPTCHA that the server may require: `server/guard/captcha.ts`. */
export type CaptchaProvider = keyof typeof SCRIPT_URLS;

/**
 * Script URLs from the providers' documentation, with explicit rendering. `ONLOAD_CALLBACK` is
 * called when the script is ready.
 */
const SCRIPT_URLS = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
  hcaptcha: 'https://js.hcaptcha.com/1/api.js?render=explicit&recaptchacompat=off',
};

const ONLOAD_CALLBACK = 'connectCheckIsThere';

/** The API that both providers define on `window`, under the provider's name. */
export interface CaptchaApi {
  render(container: HTMLElement, options: Record<string, unknown>): string;
  reset(widget: string): void;
  remove(widget: string): void;
}

type Page = { [Name in CaptchaProvider]?: CaptchaApi } & {
  [ONLOAD_CALLBACK]?: (() => void) | undefined;
};

export const isCaptchaProvider = (kind: string): kind is CaptchaProvider =>
  Object.hasOwn(SCRIPT_URLS, kind);

/**
 * Loads the provider's API, or uses the one that the page has already loaded.
 *
 * @throws {Error} if the provider's script cannot be loaded
 */
export async function loadCaptchaApi(provider: CaptchaProvider): Promise<CaptchaApi> {
  const page = window as unknown as Page;
  hideNamedElement(provider);
  if (page[provider]) return page[provider];
  const ready = new Promise<void>((resolve, reject) => {
    page[ONLOAD_CALLBACK] = resolve;
    setTimeout(() => reject(new Error(`${provider} did not load in time.`)), SCRIPT_TIMEOUT_MS);
  });
  ready.catch(() => {}); // Prevents an unhandled rejection if `addScript` fails first.
  await addScript(`${SCRIPT_URLS[provider]}&onload=${ONLOAD_CALLBACK}`, () => true);
  await ready;
  if (!page[provider]) throw new Error(`${provider} did not define its API.`);
  return page[provider];
}

/** Callbacks of a widget. */
interface CaptchaCallbacks {
  solved: (token: string) => void;
  expired: () => void;
  failed: () => void;
}

/** The options of a widget in the provider's format. */
export function widgetOptions(
  provider: CaptchaProvider,
  { siteKey, language, container }: { siteKey: string; language: string; container: HTMLElement },
  callbacks: CaptchaCallbacks,
): Record<string, unknown> {
  const isNarrow = container.clientWidth < NORMAL_WIDTH_PX;
  return {
    sitekey: siteKey,
    theme: isDark(container) ? 'dark' : 'light',
    callback: callbacks.solved,
    'expired-callback': callbacks.expired,
    'error-callback': () => (callbacks.failed(), true), // True means that the error is handled.
    ...(provider === 'turnstile'
      ? {
          language,
          size: isNarrow ? 'compact' : 'flexible',
          retry: 'never', // The donor retries with a button.
          'response-field': false,
          'timeout-callback': callbacks.expired,
          'unsupported-callback': callbacks.failed,
        }
      : {
          hl: language,
          size: isNarrow ? 'compact' : 'normal',
          'chalexpired-callback': callbacks.expired,
        }),
  };
}

/** The minimum width of both providers' normal size, in pixels. */
const NORMAL_WIDTH_PX = 303;

function isDark(container: HTMLElement): boolean {
  const { colorScheme } = getComputedStyle(container);
  if (!colorScheme.includes('dark')) return false;
  return !colorScheme.includes('light') || matchMedia('(prefers-color-scheme: dark)').matches;
}
