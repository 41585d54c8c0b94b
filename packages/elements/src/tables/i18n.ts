import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { TextOverrides } from '../internal/language.ts';
import { detectLanguage } from '../internal/detect-language.ts';
import { importLocale } from '../internal/locale-file.ts';
import { badges, tableTexts } from '../internal/messages/tables.ts';
import type { TablesTexts } from '../internal/messages/tables-texts.ts';
import { deferredTexts } from './deferred-texts.ts';
import { ENGLISH, buildTexts, type TableTexts } from './translate-texts.ts';

/** Languages that have a file in `locales/tables/`. */
const LANGUAGES = /^(ar|de|es|fr|he|hi|it|ja|nl|pt|zh)\b/;

/** What is drawn waits no longer for its words; they take their place when they come. */
const MAX_WAIT_MS = 4000;

interface Host extends ReactiveControllerHost, HTMLElement {
  readonly renderRoot: ParentNode;
  readonly locale?: string;
  readonly texts?: TextOverrides<TablesTexts> | null;
  /** What a table has found out with this drawing. */
  readonly look?: { language: string };
}

/** Whose words are in place. */
let activeTexts = ENGLISH;

/**
 * Puts the words of whoever is drawn in the one place where all that draws reads them; what is drawn
 * is drawn in one go. English is in the bundle: its weight leaves no room for more.
 */
function activateTexts(texts: TableTexts) {
  if (texts === activeTexts) return;
  activeTexts = texts;
  Object.assign(tableTexts, texts.initial);
  Object.assign(deferredTexts, texts.deferred);
  for (const [index, badge] of Object.values(badges).entries()) badge.text = texts.badges[index]!;
}

/** Undefined when it cannot be had: English is better than nothing. */
const loadTexts = (language: string): Promise<TablesTexts | undefined> =>
  importLocale('tables', language).then(
    ({ texts }) => texts as TablesTexts,
    () => undefined,
  );

/** The words of one table: of the language that it stands in, and of the page's own. */
export class TableTranslator implements ReactiveController {
  words = ENGLISH;
  /** The words of the language that was asked for last are here, or English in their place. */
  ready: Promise<void> = Promise.resolve();
  /** Its first words are on their way: nothing is drawn rather than in another language. */
  isSilent = false;
  #hasShownTexts = false;
  readonly #host: Host;
  readonly #langObserver = new MutationObserver(() => this.#host.requestUpdate());
  #requestedLanguage = 'en';
  #loadedTexts: TablesTexts | undefined;
  #overrides: TextOverrides<TablesTexts> | null = null;

  constructor(host: Host) {
    this.#host = host;
    host.addController(this);
  }

  /** Its words where they are not the usual ones. */
  get customTexts(): TableTexts | undefined {
    return this.words === ENGLISH ? undefined : this.words;
  }

  hostConnected() {
    this.#langObserver.observe(document, { subtree: true, attributeFilter: ['lang'] });
  }

  hostDisconnected() {
    this.#langObserver.disconnect();
  }

  hostUpdate() {
    this.activate();
  }

  hostUpdated() {
    this.#hasShownTexts ||= !this.isSilent;
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
  activate() {
    const language =
      LANGUAGES.exec(this.#host.look?.language ?? detectLanguage(this.#host))?.[0] ?? 'en';
    if (language !== this.#requestedLanguage)
      this.ready = this.#loadLanguage((this.#requestedLanguage = language));
    const own = this.#host.texts ?? null;
    if (own !== this.#overrides) this.#mergeTexts(own);
    activateTexts(this.words);
  }

  async #loadLanguage(language: string) {
    this.isSilent = language !== 'en' && !this.#hasShownTexts;
    const words = language === 'en' ? undefined : loadTexts(language);
    const inTime = await Promise.race([
      words,
      new Promise<undefined>((resolve) => setTimeout(resolve, MAX_WAIT_MS)),
    ]);
    if (language !== this.#requestedLanguage) return this.ready;
    this.#setLoaded(inTime);
    if (inTime) return;
    // Nobody writes into a table: what comes late takes its place at once.
    void words?.then(
      (late) => late && language === this.#requestedLanguage && this.#setLoaded(late),
    );
  }

  #setLoaded(loaded: TablesTexts | undefined) {
    this.isSilent = false;
    this.#loadedTexts = loaded;
    this.#mergeTexts(this.#overrides);
    this.#host.requestUpdate();
  }

  /** Makes another object only of other words, so that they can be known by it. */
  #mergeTexts(own: TextOverrides<TablesTexts> | null) {
    this.#overrides = own;
    this.words = buildTexts(this.#requestedLanguage, this.#loadedTexts, own);
  }
}
