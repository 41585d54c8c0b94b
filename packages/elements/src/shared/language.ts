import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { detectLanguage } from './detect-language.ts';
import { isRightToLeft, languageOf } from './languages.ts';
import { importLocale, type Family } from './locale-file.ts';
import { warnUnlessObject } from './warn-once.ts';

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

interface LanguageOptions {
  /**
   * While it returns true, a translation that arrives late is not applied: texts must not change while
   * a donor types. It is asked again at the next update.
   */
  defersTranslations?: () => boolean;
}

/**
 * The language of an element: its messages, and the locale of numbers and dates.
 *
 * It follows the page's `lang` attributes, also when they change. English messages are part of the
 * script; those of other languages are loaded: docs/decisions/0049-languages.md
 */
export class Language<Messages extends object> implements ReactiveController {
  /** BCP 47 tag for numbers and dates, such as `de-AT`. */
  tag = 'en';
  /**
   * Language code of the messages, such as `de`. `en` if there is no translation or it could not be
   * loaded.
   */
  code = 'en';
  /** A new object whenever a message has changed, so that callers can compare by identity. */
  messages: Messages;
  /** Resolves when the messages of the latest language are loaded, or English is used instead. */
  ready: Promise<void> = Promise.resolve();
  /** True until the first messages are known. Until then no text is shown, so that English is not shown first. */
  isLoading = false;

  readonly #host: LanguageHost<Messages>;
  readonly #family: Family;
  readonly #options: LanguageOptions;
  readonly #langObserver = new MutationObserver(() => this.#host.requestUpdate());
  #english: Messages;
  #requestedTag = '';
  #hasMessages = false;
  #translation: object | undefined;
  #lateTranslation: (() => void) | undefined;
  #ownerMessages: object | undefined;
  #overrides: MessageOverrides<Messages> | null | undefined;

  constructor(
    host: LanguageHost<Messages>,
    family: Family,
    english: Messages,
    options: LanguageOptions = {},
  ) {
    this.#host = host;
    this.#family = family;
    this.#english = this.messages = english;
    this.#options = options;
    host.addController(this);
  }

  /** Text direction. Undefined if the page's own `dir` attribute decides. */
  get direction(): 'rtl' | 'ltr' | undefined {
    if (isRightToLeft(this.code)) return 'rtl';
    const { locale } = this.#host;
    return !locale && this.#host.closest('[dir],[lang]')?.hasAttribute('dir') ? undefined : 'ltr';
  }

  /**
   * Adds the English messages of code that is loaded later. The file of another language already has
   * its translations.
   *
   * @returns the same object, with the type of all its messages
   */
  addEnglish<More extends object>(english: More): Language<Messages & More> {
    this.#english = { ...english, ...this.#english };
    this.#merge();
    return this as unknown as Language<Messages & More>;
  }

  /** Sets messages in the words of the form's owner, for every language. The page's override them. */
  setOwnerMessages(messages: object | undefined) {
    this.#ownerMessages = messages;
    this.#merge();
  }

  /** Applies a translation that has arrived late, even if it is deferred. */
  applyLateTranslation() {
    this.#lateTranslation?.();
  }

  hostConnected() {
    this.#langObserver.observe(document, { subtree: true, attributeFilter: ['lang', 'dir'] });
    this.#update();
    this.#host.requestUpdate(); // The element may have been moved to a place with another language.
  }

  hostDisconnected() {
    this.#langObserver.disconnect();
  }

  hostUpdate() {
    this.#update();
  }

  #update() {
    // A disconnected element has no inherited language, so its current language is kept.
    const tag = this.#host.isConnected ? detectLanguage(this.#host) : this.#requestedTag;
    if (tag !== this.#requestedTag) this.ready = this.#load((this.#requestedTag = tag));
    warnUnlessObject(this.#host, 'messages');
    if (this.#host.messages !== this.#overrides) this.#merge();
    if (!this.#options.defersTranslations?.()) this.applyLateTranslation();
  }

  /** Loads the messages of a language; English if they cannot be loaded or take too long. */
  async #load(tag: string): Promise<void> {
    const language = languageOf(tag);
    if (language === 'en') return this.#apply(tag, 'en');
    this.isLoading = !this.#hasMessages;
    const file = importLocale(this.#family, language).catch(() => undefined);
    const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, MAX_WAIT_MS));
    const inTime = await Promise.race([file, timeout]);
    if (tag !== this.#requestedTag) return this.ready;
    this.#apply(tag, inTime ? language : 'en', inTime?.messages);
    this.#host.requestUpdate();
    if (!inTime) void file.then((late) => late && this.#applyLate(tag, late.messages));
  }

  #applyLate(tag: string, messages: object) {
    if (tag !== this.#requestedTag) return;
    this.#lateTranslation = () => this.#apply(tag, languageOf(tag), messages);
    this.#host.requestUpdate();
  }

  #apply(tag: string, code: string, translation?: object) {
    this.#lateTranslation = undefined;
    this.isLoading = false;
    this.#hasMessages = true;
    this.tag = tag;
    this.code = code;
    this.#translation = translation;
    this.#merge();
  }

  #merge() {
    const overrides = (this.#overrides = this.#host.messages);
    this.messages = {
      ...this.#english,
      ...this.#translation,
      ...this.#ownerMessages,
      ...overrides,
      ...(overrides?.[this.code] as object),
    };
  }
}
