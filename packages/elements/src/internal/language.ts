import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { detectLanguage } from './detect-language.ts';
import { importLocale, type Family } from './locale-file.ts';

/** Languages that have a file in `locales/`; English is in the bundles. */
const LANGUAGES = /^(ar|de|es|fr|he|hi|it|ja|nl|pt|zh)\b/;

const RIGHT_TO_LEFT = /^(ar|he)/;

/** What is drawn waits no longer for its words; they take their place when they come. */
const MAX_WAIT_MS = 4000;

/** An owner's own words; those under a language's name are for that language alone. */
export type TextOverrides<Texts> = Partial<Texts> & Record<string, unknown>;

export interface LanguageHost<Texts>
  extends Pick<ReactiveControllerHost, 'addController' | 'requestUpdate'>, HTMLElement {
  /** Wins over what the page says. */
  readonly locale: string;
  readonly texts: TextOverrides<Texts> | null;
}

/**
 * The language of an element: its words, and how it writes numbers and dates.
 *
 * It follows `lang` wherever the page sets it, and while it changes.
 */
export class Language<Texts extends object> implements ReactiveController {
  /** BCP 47, for numbers and dates: `de-AT`. */
  tag = 'en';
  /** Of the words: `de`. English where a language is not among ours, or cannot be had. */
  words = 'en';
  texts: Texts;
  /** The latest language is here, or English in its place. */
  ready: Promise<void> = Promise.resolve();
  /** Says the words that came later, whatever the donor is doing. */
  applyDeferred: (() => void) | undefined;

  readonly #host: LanguageHost<Texts>;
  readonly #family: Family;
  readonly #english: Texts;
  readonly #langObserver = new MutationObserver(() => this.#host.requestUpdate());
  #requestedTag = '';
  #loadedTexts: object | undefined;
  #overrides: TextOverrides<Texts> | null = null;

  constructor(host: LanguageHost<Texts>, family: Family, english: Texts) {
    this.#host = host;
    this.#family = family;
    this.#english = this.texts = english;
    host.addController(this);
  }

  /** Where the words begin; the page's own direction where it says one for words of its kind. */
  get direction(): 'rtl' | 'ltr' | undefined {
    if (RIGHT_TO_LEFT.test(this.words)) return 'rtl';
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
    // Taken off the page it has no language; what it says meanwhile must still be there afterwards.
    if (this.#host.isConnected && tag !== this.#requestedTag)
      this.ready = this.#load((this.#requestedTag = tag));
    if (this.#host.texts !== this.#overrides) this.#mergeTexts();
    if (!this.#hasFocus) this.applyDeferred?.();
  }

  /** A donor is in a field of the form, or in a frame, as the card's fields are. */
  get #hasFocus() {
    const form = this.#host.shadowRoot?.querySelector('form:focus-within');
    return form ?? document.activeElement?.matches('iframe');
  }

  /** Makes another object only of other words, so that they can be known by it. */
  #mergeTexts() {
    const own = (this.#overrides = this.#host.texts);
    this.texts = {
      ...this.#english,
      ...this.#loadedTexts,
      ...own,
      ...(own?.[this.words] as object),
    };
  }

  /** English in their place when the words cannot be had, or not yet: better than nothing. */
  async #load(tag: string) {
    const language = LANGUAGES.exec(tag)?.[0];
    const file = language ? importLocale(this.#family, language).catch(() => {}) : undefined;
    const apply = (words: { texts: object } | void) => {
      this.applyDeferred = undefined;
      if (tag !== this.#requestedTag) return;
      this.tag = tag;
      this.#loadedTexts = words?.texts;
      this.words = words ? language! : 'en';
      this.#mergeTexts();
      this.#host.requestUpdate();
    };
    const inTime = await Promise.race([
      file,
      new Promise<undefined>((resolve) => setTimeout(resolve, MAX_WAIT_MS)),
    ]);
    apply(inTime);
    if (inTime) return;
    void file?.then((words) => {
      if (!words || tag !== this.#requestedTag) return;
      this.applyDeferred = () => apply(words);
      this.#host.requestUpdate();
    });
  }
}
