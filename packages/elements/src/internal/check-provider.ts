import { addScript, hideNamedElement, SCRIPT_TIMEOUT_MS } from './script-tag.ts';

/** Whose check a server may ask for: `server/guard/captcha.ts`. */
export type Provider = keyof typeof SCRIPTS;

/** As each provider documents it; drawn where we say, and told to `ONLOAD` when it can draw. */
const SCRIPTS = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
  hcaptcha: 'https://js.hcaptcha.com/1/api.js?render=explicit&recaptchacompat=off',
};

const ONLOAD = 'connectCheckIsThere';

/** What both put on `window`, under their own names. */
export interface Widgets {
  render(place: HTMLElement, options: Record<string, unknown>): string;
  reset(widget: string): void;
  remove(widget: string): void;
}

type Page = { [Name in Provider]?: Widgets } & { [ONLOAD]?: (() => void) | undefined };

export const isProvider = (kind: string): kind is Provider => Object.hasOwn(SCRIPTS, kind);

/**
 * The provider's widgets; a page that has them already keeps its own.
 *
 * @throws {Error} when its script cannot be had
 */
export async function widgetsOf(provider: Provider): Promise<Widgets> {
  const page = window as unknown as Page;
  hideNamedElement(provider);
  if (page[provider]) return page[provider];
  const ready = new Promise<void>((resolve, reject) => {
    page[ONLOAD] = resolve;
    setTimeout(() => reject(new Error(`${provider} does not begin.`)), SCRIPT_TIMEOUT_MS);
  });
  ready.catch(() => {}); // Of no interest where the script itself did not come.
  await addScript(`${SCRIPTS[provider]}&onload=${ONLOAD}`, () => true);
  await ready;
  if (!page[provider]) throw new Error(`${provider} did not bring its widgets.`);
  return page[provider];
}

/** How a widget tells what became of it. */
export interface Told {
  done: (token: string) => void;
  expired: () => void;
  failed: () => void;
}

/** The options of a widget, in the words of its provider. */
export function optionsFor(
  provider: Provider,
  { siteKey, language, place }: { siteKey: string; language: string; place: HTMLElement },
  told: Told,
): Record<string, unknown> {
  const narrow = place.clientWidth < NORMAL_PX;
  return {
    sitekey: siteKey,
    theme: isDark(place) ? 'dark' : 'light',
    callback: told.done,
    'expired-callback': told.expired,
    'error-callback': () => (told.failed(), true), // True: the error is seen to.
    ...(provider === 'turnstile'
      ? {
          language,
          size: narrow ? 'compact' : 'flexible',
          retry: 'never', // The donor decides.
          'response-field': false,
          'timeout-callback': told.expired,
          'unsupported-callback': told.failed,
        }
      : {
          hl: language,
          size: narrow ? 'compact' : 'normal',
          'chalexpired-callback': told.expired,
        }),
  };
}

/** Both need as much for their usual size. */
const NORMAL_PX = 303;

function isDark(place: HTMLElement): boolean {
  const { colorScheme } = getComputedStyle(place);
  if (!colorScheme.includes('dark')) return false;
  return !colorScheme.includes('light') || matchMedia('(prefers-color-scheme: dark)').matches;
}
