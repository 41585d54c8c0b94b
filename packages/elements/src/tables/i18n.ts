import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { MessageOverrides } from '../internal/language.ts';
import { detectLanguage } from '../internal/detect-language.ts';
import { importLocale } from '../internal/locale-file.ts';
import { badges, tableTexts } from '../internal/messages/tables.ts';
import type { TablesMessages } from '../internal/messages/tables-texts.ts';
import { deferredTexts } from './deferred-texts.ts';
import { ENGLISH, buildTexts, type TableTexts } from './translate-texts.ts';

/** Languages with a file in `locales/tables/`. */
const LANGUAGES = /^(ar|de|es|fr|he|hi|it|ja|nl|pt|zh)\b/;

/**
 * Maximum wait for a language file before the table renders in English. A file that arrives later
 * replaces the English texts.
 */
const MAX_WAIT_MS = 4000;

interface Host extends ReactiveControllerHost, HTMLElement {
  readonly renderRoot: ParentNode;
  readonly locale?: string;
  readonly messages?: MessageOverrides<TablesMessages> | null;
  /** Language of the latest render (details elements only). */
  readonly look?: { language: string };
}

/** The texts that are currently in the shared objects. */
let activeTexts = ENGLISH;

/**
 * Copies the texts of one table into the shared objects that all rendering code reads. Each render of a
 * table is synchronous, so tables with different languages do not interfere. English is part of the
 * bundle; other languages are loaded, to keep the bundle small.
 */
function activateTexts(texts: TableTexts) {
  if (texts === activeTexts) return;
  activeTexts = texts;
  Object.assign(tableTexts, texts.initial);
  Object.assign(deferredTexts, texts.deferred);
  for (const [index, badge] of Object.values(badges).entries()) badge.text = texts.badges[index]!;
}

/** Undefined when the file cannot be loaded; the table then stays English. */
const loadTexts = (language: string): Promise<TablesMessages | undefined> =>
  importLocale('tables', language).then(
    ({ texts }) => texts as TablesMessages,
    () => undefined,
  );

/** Loads and merges the texts of one table: its language and the host page's custom texts. */
export class TableTranslator implements ReactiveController {
  words = ENGLISH;
  /** Resolves when the file of the current language is loaded, has failed or takes too long. */
  ready: Promise<void> = Promise.resolve();
  /** Whether the first translation is loading. Until then no text is rendered, rather than English text. */
  isSilent = false;
  #hasShownTexts = false;
  readonly #host: Host;
  readonly #langObserver = new MutationObserver(() => this.#host.requestUpdate());
  #requestedLanguage = 'en';
  #loadedTexts: TablesMessages | undefined;
  #overrides: MessageOverrides<TablesMessages> | null = null;

  constructor(host: Host) {
    this.#host = host;
    host.addController(this);
  }

  /** The texts if they differ from the English defaults. */
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
    // Write only changes: setting `dir` makes the browser recompute the styles of every row.
    if (frame.lang !== language) frame.lang = language;
    const rightToLeft = /^(ar|he)/.test(language);
    const dir = rightToLeft ? 'rtl' : this.#host.closest('[dir]') ? '' : 'ltr';
    if (frame.dir !== dir) frame.dir = dir;
  }

  /** Activates this table's texts. Called before every render and every announcement. */
  activate() {
    const language =
      LANGUAGES.exec(this.#host.look?.language ?? detectLanguage(this.#host))?.[0] ?? 'en';
    if (language !== this.#requestedLanguage)
      this.ready = this.#loadLanguage((this.#requestedLanguage = language));
    const own = this.#host.messages ?? null;
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
    // A late translation can replace the texts at once, because a table has no input that this would
    // disturb.
    void words?.then(
      (late) => late && language === this.#requestedLanguage && this.#setLoaded(late),
    );
  }

  #setLoaded(loaded: TablesMessages | undefined) {
    this.isSilent = false;
    this.#loadedTexts = loaded;
    this.#mergeTexts(this.#overrides);
    this.#host.requestUpdate();
  }

  /** Merges translations and custom texts into a new object. Callers detect changes by object identity. */
  #mergeTexts(own: MessageOverrides<TablesMessages> | null) {
    this.#overrides = own;
    this.words = buildTexts(this.#requestedLanguage, this.#loadedTexts, own);
  }
}
