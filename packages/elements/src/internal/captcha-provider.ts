import { addScript, hideNamedElement, SCRIPT_TIMEOUT_MS } from './script-tag.ts';

/** Whose check a server may ask for: `server/guard/captcha.ts`. */
export type CaptchaProvider = keyof typeof SCRIPT_URLS;

/** As each provider documents it; drawn where we say, and told to `ONLOAD` when it can draw. */
const SCRIPT_URLS = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
  hcaptcha: 'https://js.hcaptcha.com/1/api.js?render=explicit&recaptchacompat=off',
};

const ONLOAD_CALLBACK = 'connectCheckIsThere';

/** What both put on `window`, under their own names. */
export interface CaptchaApi {
  render(place: HTMLElement, options: Record<string, unknown>): string;
  reset(widget: string): void;
  remove(widget: string): void;
}

type Page = { [Name in CaptchaProvider]?: CaptchaApi } & {
  [ONLOAD_CALLBACK]?: (() => void) | undefined;
};

export const isCaptchaProvider = (kind: string): kind is CaptchaProvider =>
  Object.hasOwn(SCRIPT_URLS, kind);

/**
 * The provider's widgets; a page that has them already keeps its own.
 *
 * @throws {Error} when its script cannot be had
 */
export async function loadCaptchaApi(provider: CaptchaProvider): Promise<CaptchaApi> {
  const page = window as unknown as Page;
  hideNamedElement(provider);
  if (page[provider]) return page[provider];
  const ready = new Promise<void>((resolve, reject) => {
    page[ONLOAD_CALLBACK] = resolve;
    setTimeout(() => reject(new Error(`${provider} does not begin.`)), SCRIPT_TIMEOUT_MS);
  });
  ready.catch(() => {}); // Of no interest where the script itself did not come.
  await addScript(`${SCRIPT_URLS[provider]}&onload=${ONLOAD_CALLBACK}`, () => true);
  await ready;
  if (!page[provider]) throw new Error(`${provider} did not bring its widgets.`);
  return page[provider];
}

/** How a widget tells what became of it. */
export interface CaptchaCallbacks {
  solved: (token: string) => void;
  expired: () => void;
  failed: () => void;
}

/** The options of a widget, in the words of its provider. */
export function widgetOptions(
  provider: CaptchaProvider,
  { siteKey, language, place }: { siteKey: string; language: string; place: HTMLElement },
  callbacks: CaptchaCallbacks,
): Record<string, unknown> {
  const isNarrow = place.clientWidth < NORMAL_WIDTH_PX;
  return {
    sitekey: siteKey,
    theme: isDark(place) ? 'dark' : 'light',
    callback: callbacks.solved,
    'expired-callback': callbacks.expired,
    'error-callback': () => (callbacks.failed(), true), // True: the error is seen to.
    ...(provider === 'turnstile'
      ? {
          language,
          size: isNarrow ? 'compact' : 'flexible',
          retry: 'never', // The donor decides.
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

/** Both need as much for their usual size. */
const NORMAL_WIDTH_PX = 303;

function isDark(place: HTMLElement): boolean {
  const { colorScheme } = getComputedStyle(place);
  if (!colorScheme.includes('dark')) return false;
  return !colorScheme.includes('light') || matchMedia('(prefers-color-scheme: dark)').matches;
}
