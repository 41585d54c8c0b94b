import type { Donor, Payout } from '@connect-embed/contract';
import { formatMoney } from '@connect-embed/contract/format-money';
import { formatPlural } from '@connect-embed/contract/format-plural';
import { html } from 'lit';
import type { TablesMessages } from '../shared/message-types.ts';
import type { CellContent, DisplayOptions } from './column.ts';

const dateFormats: Record<string, Intl.DateTimeFormat> = {};

/** Date formats of table cells, cached because creating one is slow and every row needs it. */
const dateFormat = (language: string, timeZone?: string) =>
  (dateFormats[`${language} ${timeZone}`] ??= new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeZone,
  }));

/**
 * Renders an amount. The `<bdi>` keeps the minus sign of a negative amount in front of it in
 * right-to-left text.
 */
export const renderMoney = (cents: number, currency: string, { language }: DisplayOptions) =>
  html`<bdi>${formatMoney(cents, currency, language)}</bdi>`;

/** Renders the date of a timestamp in the table's time zone, as a `<time>` element with the timestamp. */
export const renderDate = (
  timestamp: string,
  { language, timeZone }: Pick<DisplayOptions, 'language' | 'timeZone'>,
) => {
  const date = dateFormat(language, timeZone).format(new Date(timestamp));
  return html`<time datetime=${timestamp}>${date}</time>`;
};

/** Renders a calendar date of a bank, which does not depend on the time zone. */
export const renderDay = (timestamp: string, { language }: DisplayOptions) =>
  renderDate(timestamp.slice(0, 10), { language, timeZone: 'UTC' });

/** Shown for an unknown value. */
export const UNKNOWN = '—';

/** Renders a text, or a dash if it is null. */
export const renderText = (text: string | null, unknown = UNKNOWN): CellContent =>
  text || html`<span class="muted">${unknown}</span>`;

export const renderName = (name: string | null, { messages }: DisplayOptions) =>
  renderText(name, messages.anonymous);

/** Joins the fields of a table cell that shows several fields; null if all are empty. */
const joinNonEmpty = (parts: (string | null)[], separator: string) =>
  parts.filter(Boolean).join(separator) || null;

export const fullName = ({ first_name, last_name }: Donor) =>
  joinNonEmpty([first_name, last_name], ' ');

export const formatAddress = ({ city, state, country }: Donor) =>
  joinNonEmpty([city, state, country], ', ');

/**
 * The source of a donation or donor in the words of the language. A later API may have further sources, which are
 * shown as they are.
 */
export const sourceText = ({ source }: { source: string }, messages: TablesMessages): string =>
  ({
    embed: messages.source_embed,
    api: 'API', // A name, the same in all languages.
    import: messages.source_import,
  })[source] ?? source;

export const descriptionOf = ({ description, statement_descriptor }: Payout) =>
  description ?? statement_descriptor;

const countFormats = new Map<string, Intl.NumberFormat>();

/** Formats a count in a language. Formatters are cached, because creating one is slow. */
export function formatCount(count: number, language: string): string {
  let format = countFormats.get(language);
  if (!format) countFormats.set(language, (format = new Intl.NumberFormat(language)));
  return format.format(count);
}

/** Formats a message with a count, by the plural rules of the messages' language. */
export const pluralMessage = (
  key: 'totals' | 'exporting',
  count: number,
  { messages, language, messagesLanguage }: DisplayOptions,
) => formatPlural(messages[key], count, messagesLanguage, { count: formatCount(count, language) });

/** Values of `{what}` and `{whatLower}`: English writes the name of a list in lower case in a sentence. */
export const namePlaceholders = (name: 'what' | 'column', value: string) => ({
  [name]: value,
  [`${name}Lower`]: value.toLowerCase(),
});
