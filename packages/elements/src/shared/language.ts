import type { ReactiveController, ReactiveControllerHost } from './connect-element.ts';
import { detectLanguage } from './detect-language.ts';
import { LANGUAGES, RIGHT_TO_LEFT } from './languages.ts';
import { importLocale, type Family } from './locale-file.ts';

/** How long drawing waits for translations. Later ones replace the English texts when they arrive. */
const MAX_WAIT_MS = 4000;

/** Text overrides by key. Overrides under a language code apply to that language only. */
export type MessageOverrides<Messages> = Partial<Messages> & Record<string, unknown>;

export interface LanguageHost<Messages>
  extends Pick<ReactiveControllerHost, 'addController' | 'requestUpdate'>, HTMLElement {
  /** Overrides the page's language. */
  readonly locale: string;
  readonly messages?: MessageOverrides<Messages> | null | undefined;
}

/**
 * The language of an element: its messages, and the locale of numbers and dates.
 *
 * It follows the page's `lang` attributes, also when they change.
 */
export class Language<Messages extends object> implements ReactiveController {
  /** BCP 47 tag for numbers and dates, such as `de-AT`. */
  tag = 'en';
  /**
   * Language code of the messages, such as `de`. `en` if there is no translation or it could not be
   * loaded.
   */
  code = 'en';
  messages: Messages;
  /**
   * Resolves when the messages of the latest language are loaded, or English is used instead. Undefined
   * before the element is first connected.
   */
  ready: Promise<void> | undefined;
  /**
   * Messages in the words of the form's owner, for every language. The page's `messages` override them.
   * Call `apply` after a change.
   */
  owner: object | undefined;
  /** Applies translations that arrived late, even while the donor is in a field. */
  applyDeferred: (() => void) | undefined;

  readonly #host: LanguageHost<Messages>;
  readonly #family: Family;
  readonly #english: Messages;
  readonly #langObserver = new MutationObserver(() => this.#host.requestUpdate());
  #requestedTag = '';
  #loadedMessages: object | undefined;
  #overrides: MessageOverrides<Messages> | null | undefined;

  constructor(host: LanguageHost<Messages>, family: Family, english: Messages) {
    this.#host = host;
    this.#family = family;
    this.#english = this.messages = english;
    host.addController(this);
  }

  /** Text direction. Undefined if the page's own `dir` attribute decides. */
  get direction(): 'rtl' | 'ltr' | undefined {
    if (RIGHT_TO_LEFT.test(this.code)) return 'rtl';
    const { locale } = this.#host;
    return !locale && this.#host.closest('[dir],[lang]')?.hasAttribute('dir') ? undefined : 'ltr';
  }

  hostConnected() {
    this.#langObserver.observe(document, { subtree: true, attributeFilter: ['lang', 'dir'] });
    this.hostUpdate();
  }

  hostDisconnected() {
    this.#langObserver.disconnect();
  }

  hostUpdate() {
    const tag = detectLanguage(this.#host);
    // A disconnected element has no inherited language, so its current language is kept.
    if (this.#host.isConnected && tag !== this.#requestedTag)
      this.ready = this.#load((this.#requestedTag = tag));
    if (this.#host.messages !== this.#overrides) this.apply();
    // Not while the focus is in a field of the form or in an iframe, such as the card fields.
    const focused =
      this.#host.shadowRoot?.querySelector('form:focus-within') ??
      document.activeElement?.matches('iframe');
    if (!focused) this.applyDeferred?.();
  }

  /** Merges all messages. Creates a new object only when messages change, so that callers can compare by identity. */
  apply() {
    const overrides = (this.#overrides = this.#host.messages);
    this.messages = {
      ...this.#english,
      ...this.#loadedMessages,
      ...this.owner,
      ...overrides,
      ...(overrides?.[this.code] as object),
    };
  }

  /** Loads the messages of a language; English if they cannot be loaded or take too long. */
  async #load(tag: string) {
    const language = LANGUAGES.exec(tag)?.[0];
    const file = language ? importLocale(this.#family, language).catch(() => {}) : undefined;
    const apply = (translation: { messages: object } | void) => {
      this.applyDeferred = undefined;
      if (tag !== this.#requestedTag) return;
      this.tag = tag;
      this.#loadedMessages = translation?.messages;
      this.code = translation ? language! : 'en';
      this.apply();
      this.#host.requestUpdate();
    };
    const inTime = await Promise.race([
      file,
      new Promise<undefined>((resolve) => setTimeout(resolve, MAX_WAIT_MS)),
    ]);
    apply(inTime);
    if (inTime) return;
    void file?.then((translation) => {
      if (!translation || tag !== this.#requestedTag) return;
      this.applyDeferred = () => apply(translation);
      this.#host.requestUpdate();
    });
  }
}
