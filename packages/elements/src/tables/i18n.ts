import { formatPlural } from '@connect-embed/contract/format-plural';
import { tableFeatures } from '@connect-embed/locales/en.json';
import type { ReactiveController, ReactiveControllerHost } from '../shared/connect-element.ts';
import type { MessageOverrides } from '../shared/language.ts';
import { detectLanguage } from '../shared/detect-language.ts';
import { LANGUAGES, RIGHT_TO_LEFT } from '../shared/languages.ts';
import { importLocale } from '../shared/locale-file.ts';
import type { TablesMessages } from '../shared/message-types.ts';
import { messages } from './table-messages.ts';

/** All English messages. Adds those that a table does not need for its first rows. */
export const ENGLISH: Readonly<TablesMessages> = { ...Object.assign(messages, tableFeatures) };

/**
 * Maximum wait for a language file before the table renders in English. A file that arrives later
 * replaces the English messages.
 */
const MAX_WAIT_MS = 4000;

interface Host extends ReactiveControllerHost, HTMLElement {
  readonly renderRoot: ParentNode;
  readonly locale?: string;
  readonly messages?: MessageOverrides<TablesMessages> | null;
}

/** All messages of one table, and their language. */
interface Translation {
  language: string;
  messages: Readonly<TablesMessages>;
}

const IN_ENGLISH: Translation = { language: 'en', messages: ENGLISH };

/** The translation whose messages are in the shared object. */
let active = IN_ENGLISH;

/**
 * Copies the messages of one table into the shared object that all rendering code reads. Each render of
 * a table is synchronous, so tables with different languages do not interfere. English is part of the
 * bundle; other languages are loaded, to keep the bundle small.
 */
function activate(translation: Translation) {
  if (translation === active) return;
  active = translation;
  Object.assign(messages, translation.messages);
}

/** Formats a message with a count, by the plural rules of the messages' language. */
export const pluralMessage = (key: 'totals' | 'exporting', count: number, locale: string) =>
  formatPlural(messages[key], count, active.language, { count: formatCount(count, locale) });

/** Values of `{what}` and `{whatLower}`: English writes the name of a list in lower case in a sentence. */
export const namePlaceholders = (name: 'what' | 'column', value: string) => ({
  [name]: value,
  [`${name}Lower`]: value.toLowerCase(),
});

/** Loads and merges the messages of one table: its language and the host page's custom messages. */
export class TableTranslator implements ReactiveController {
  /** Resolves when the file of the current language is loaded, has failed or takes too long. */
  ready: Promise<void> = Promise.resolve();
  /**
   * True while the first translation is loading. No text is shown during this time, so that English
   * does not appear first.
   */
  isUntranslated = false;
  #translation = IN_ENGLISH;
  #hasShownMessages = false;
  readonly #host: Host;
  readonly #langObserver = new MutationObserver(() => this.#host.requestUpdate());
  #requestedLanguage = 'en';
  #loadedMessages: object | undefined;
  #overrides: MessageOverrides<TablesMessages> | null = null;

  constructor(host: Host) {
    this.#host = host;
    host.addController(this);
  }

  /** The translation if it differs from the English defaults. */
  get customMessages(): object | undefined {
    return this.#translation === IN_ENGLISH ? undefined : this.#translation;
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
    this.#hasShownMessages ||= !this.isUntranslated;
    const frame = this.#host.renderRoot.querySelector<HTMLElement>('.frame');
    if (!frame) return;
    const { language } = this.#translation;
    // Write only changes: setting `dir` makes the browser recompute the styles of every row.
    if (frame.lang !== language) frame.lang = language;
    const rightToLeft = RIGHT_TO_LEFT.test(language);
    const dir = rightToLeft ? 'rtl' : this.#host.closest('[dir]') ? '' : 'ltr';
    if (frame.dir !== dir) frame.dir = dir;
  }

  /** Activates this table's messages. Called before every render and every announcement. */
  activate() {
    const language = LANGUAGES.exec(detectLanguage(this.#host))?.[0] ?? 'en';
    if (language !== this.#requestedLanguage)
      this.ready = this.#loadLanguage((this.#requestedLanguage = language));
    const overrides = this.#host.messages ?? null;
    if (overrides !== this.#overrides) this.#mergeMessages(overrides);
    activate(this.#translation);
  }

  async #loadLanguage(language: string) {
    this.isUntranslated = language !== 'en' && !this.#hasShownMessages;
    const file =
      language === 'en' ? undefined : importLocale('tables', language).catch(() => undefined);
    const inTime = await Promise.race([
      file,
      new Promise<undefined>((resolve) => setTimeout(resolve, MAX_WAIT_MS)),
    ]);
    if (language !== this.#requestedLanguage) return this.ready;
    this.#setLoaded(inTime);
    if (inTime) return;
    // A late translation can replace the messages at once, because a table has no input that this would
    // disturb.
    void file?.then(
      (late) => late && language === this.#requestedLanguage && this.#setLoaded(late),
    );
  }

  #setLoaded(file: { messages: object } | undefined) {
    this.isUntranslated = false;
    this.#loadedMessages = file?.messages;
    this.#mergeMessages(this.#overrides);
    this.#host.requestUpdate();
  }

  /**
   * Merges translations and custom messages, which take precedence; those nested under a language code
   * apply to that language only. Creates a new object, because callers detect changes by identity.
   */
  #mergeMessages(overrides: MessageOverrides<TablesMessages> | null) {
    this.#overrides = overrides;
    const language = this.#loadedMessages ? this.#requestedLanguage : 'en';
    if (!this.#loadedMessages && !overrides) {
      this.#translation = IN_ENGLISH;
      return;
    }
    const messages = {
      ...ENGLISH,
      ...this.#loadedMessages,
      ...overrides,
      ...(overrides?.[language] as object | undefined),
    };
    this.#translation = { language, messages };
  }
}

const formats = new Map<string, Intl.NumberFormat>();

/** Formats a count in a language. Formatters are cached, because creating one is slow. */
export function formatCount(count: number, language: string): string {
  let format = formats.get(language);
  if (!format) formats.set(language, (format = new Intl.NumberFormat(language)));
  return format.format(count);
}
