import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { OwnTexts } from '../internal/language.ts';
import { languageOf } from '../internal/language-of.ts';
import { importLocale } from '../internal/locale-file.ts';
import { badges, tableTexts } from '../internal/messages/tables.ts';
import type { TablesTexts } from '../internal/messages/tables-texts.ts';
import { lateTexts } from './texts.ts';
import { ENGLISH, wordsOf, type Words } from './wording.ts';

/** Languages that have a file in `locales/tables/`. */
const LANGUAGES = /^(ar|de|es|fr|he|hi|it|ja|nl|pt|zh)\b/;

/** What is drawn waits no longer for its words; they take their place when they come. */
const LONGEST_WAIT_MS = 4000;

interface Host extends ReactiveControllerHost, HTMLElement {
  readonly renderRoot: ParentNode;
  readonly locale?: string;
  readonly texts?: OwnTexts<TablesTexts> | null;
  /** What a table has found out with this drawing. */
  readonly look?: { language: string };
}

/** Whose words are in place. */
let inPlace = ENGLISH;

/**
 * Puts the words of whoever is drawn in the one place where all that draws reads them; what is drawn
 * is drawn in one go. English is in the bundle: its weight leaves no room for more.
 */
function putInPlace(words: Words) {
  if (words === inPlace) return;
  inPlace = words;
  Object.assign(tableTexts, words.table);
  Object.assign(lateTexts, words.late);
  for (const [index, badge] of Object.values(badges).entries()) badge.text = words.badges[index]!;
}

/** Undefined when it cannot be had: English is better than nothing. */
const load = (language: string): Promise<TablesTexts | undefined> =>
  importLocale('tables', language).then(
    ({ texts }) => texts as TablesTexts,
    () => undefined,
  );

/** The words of one table: of the language that it stands in, and of the page's own. */
export class Speech implements ReactiveController {
  words = ENGLISH;
  /** The words of the language that was asked for last are here, or English in their place. */
  ready: Promise<void> = Promise.resolve();
  /** Its first words are on their way: nothing is drawn rather than in another language. */
  silent = false;
  #spoke = false;
  readonly #host: Host;
  readonly #watch = new MutationObserver(() => this.#host.requestUpdate());
  #asked = 'en';
  #loaded: TablesTexts | undefined;
  #texts: OwnTexts<TablesTexts> | null = null;

  constructor(host: Host) {
    this.#host = host;
    host.addController(this);
  }

  /** Its words where they are not the usual ones. */
  get own(): Words | undefined {
    return this.words === ENGLISH ? undefined : this.words;
  }

  hostConnected() {
    this.#watch.observe(document, { subtree: true, attributeFilter: ['lang'] });
  }

  hostDisconnected() {
    this.#watch.disconnect();
  }

  hostUpdate() {
    this.speak();
  }

  hostUpdated() {
    this.#spoke ||= !this.silent;
    const frame = this.#host.renderRoot.querySelector<HTMLElement>('.frame');
    if (!frame) return;
    const { language } = this.words;
    // Only what is another: a direction that is set is looked for in every row.
    if (frame.lang !== language) frame.lang = language;
    const rightToLeft = /^(ar|he)/.test(language);
    const dir = rightToLeft ? 'rtl' : this.#host.closest('[dir]') ? '' : 'ltr';
    if (frame.dir !== dir) frame.dir = dir;
  }

  /** Before anything of the table is drawn, or said. */
  speak() {
    const language =
      LANGUAGES.exec(this.#host.look?.language ?? languageOf(this.#host))?.[0] ?? 'en';
    if (language !== this.#asked) this.ready = this.#take((this.#asked = language));
    const own = this.#host.texts ?? null;
    if (own !== this.#texts) this.#merge(own);
    putInPlace(this.words);
  }

  async #take(language: string) {
    this.silent = language !== 'en' && !this.#spoke;
    const words = language === 'en' ? undefined : load(language);
    const soon = await Promise.race([
      words,
      new Promise<undefined>((resolve) => setTimeout(resolve, LONGEST_WAIT_MS)),
    ]);
    if (language !== this.#asked) return this.ready;
    this.#say(soon);
    if (soon) return;
    // Nobody writes into a table: what comes late takes its place at once.
    void words?.then((late) => late && language === this.#asked && this.#say(late));
  }

  #say(loaded: TablesTexts | undefined) {
    this.silent = false;
    this.#loaded = loaded;
    this.#merge(this.#texts);
    this.#host.requestUpdate();
  }

  /** Makes another object only of other words, so that they can be known by it. */
  #merge(own: OwnTexts<TablesTexts> | null) {
    this.#texts = own;
    this.words = wordsOf(this.#asked, this.#loaded, own);
  }
}
