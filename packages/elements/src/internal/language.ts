import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { languageOf } from './language-of.ts';
import { importLocale, type Family } from './locale-file.ts';

/** Languages that have a file in `locales/`; English is in the bundles. */
const LANGUAGES = /^(ar|de|es|fr|he|hi|it|ja|nl|pt|zh)\b/;

const FROM_THE_RIGHT = /^(ar|he)/;

/** What is drawn waits no longer for its words; they take their place when they come. */
const LONGEST_WAIT_MS = 4000;

/** An owner's own words; those under a language's name are for that language alone. */
export type OwnTexts<Texts> = Partial<Texts> & Record<string, unknown>;

export interface LanguageHost<Texts>
  extends Pick<ReactiveControllerHost, 'addController' | 'requestUpdate'>, HTMLElement {
  /** Wins over what the page says. */
  readonly locale: string;
  readonly texts: OwnTexts<Texts> | null;
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
  late: (() => void) | undefined;

  readonly #host: LanguageHost<Texts>;
  readonly #family: Family;
  readonly #english: Texts;
  readonly #watch = new MutationObserver(() => this.#host.requestUpdate());
  #asked = '';
  #loaded: object | undefined;
  #own: OwnTexts<Texts> | null = null;

  constructor(host: LanguageHost<Texts>, family: Family, english: Texts) {
    this.#host = host;
    this.#family = family;
    this.#english = this.texts = english;
    host.addController(this);
  }

  /** Where the words begin; the page's own direction where it says one for words of its kind. */
  get direction(): 'rtl' | 'ltr' | undefined {
    if (FROM_THE_RIGHT.test(this.words)) return 'rtl';
    const { locale } = this.#host;
    return !locale && this.#host.closest('[dir],[lang]')?.hasAttribute('dir') ? undefined : 'ltr';
  }

  hostConnected() {
    this.#watch.observe(document, { subtree: true, attributeFilter: ['lang', 'dir'] });
    this.hostUpdate();
  }

  hostDisconnected() {
    this.#watch.disconnect();
  }

  hostUpdate() {
    const tag = languageOf(this.#host);
    // Taken off the page it has no language; what it says meanwhile must still be there afterwards.
    if (this.#host.isConnected && tag !== this.#asked) this.ready = this.#take((this.#asked = tag));
    if (this.#host.texts !== this.#own) this.#merge();
    if (!this.#inUse) this.late?.();
  }

  /** A donor is in a field of the form, or in a frame, as the card's fields are. */
  get #inUse() {
    const form = this.#host.shadowRoot?.querySelector('form:focus-within');
    return form ?? document.activeElement?.matches('iframe');
  }

  /** Makes another object only of other words, so that they can be known by it. */
  #merge() {
    const own = (this.#own = this.#host.texts);
    this.texts = { ...this.#english, ...this.#loaded, ...own, ...(own?.[this.words] as object) };
  }

  /** English in their place when the words cannot be had, or not yet: better than nothing. */
  async #take(tag: string) {
    const language = LANGUAGES.exec(tag)?.[0];
    const file = language ? importLocale(this.#family, language).catch(() => {}) : undefined;
    const speak = (words: { texts: object } | void) => {
      this.late = undefined;
      if (tag !== this.#asked) return;
      this.tag = tag;
      this.#loaded = words?.texts;
      this.words = words ? language! : 'en';
      this.#merge();
      this.#host.requestUpdate();
    };
    const soon = await Promise.race([
      file,
      new Promise<undefined>((resolve) => setTimeout(resolve, LONGEST_WAIT_MS)),
    ]);
    speak(soon);
    if (soon) return;
    void file?.then((words) => {
      if (!words || tag !== this.#asked) return;
      this.late = () => speak(words);
      this.#host.requestUpdate();
    });
  }
}
