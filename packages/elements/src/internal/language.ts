import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { languageOf } from './language-of.ts';
import { importLocale, type Family } from './locale-file.ts';

/** Languages that have a file in `locales/`; English is in the bundles. */
const LANGUAGES = /^(ar|de|es|fr|he|hi|it|ja|nl|pt|zh)\b/;

const FROM_THE_RIGHT = /^(ar|he)/;

/** A language that has not come by then is not worth waiting for. */
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
  }

  /** Makes another object only of other words, so that they can be known by it. */
  #merge() {
    const own = (this.#own = this.#host.texts);
    this.texts = { ...this.#english, ...this.#loaded, ...own, ...(own?.[this.words] as object) };
  }

  async #take(tag: string) {
    const language = LANGUAGES.exec(tag)?.[0];
    const loaded = language && (await this.#load(language));
    if (tag !== this.#asked) return;
    this.tag = tag;
    this.#loaded = loaded || undefined;
    this.words = loaded ? language : 'en';
    this.#merge();
    this.#host.requestUpdate();
  }

  /** Undefined when it cannot be had: English is better than nothing. */
  #load(language: string): Promise<object | undefined> {
    return Promise.race([
      importLocale(this.#family, language).then(
        ({ texts }) => texts,
        () => undefined,
      ),
      new Promise<undefined>((resolve) => setTimeout(resolve, LONGEST_WAIT_MS)),
    ]);
  }
}
