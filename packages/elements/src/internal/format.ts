import { html } from 'lit';
import { tableTexts as texts } from './messages/tables.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats are slow to make and there is one a row: each is made once. */
function dateFormat(language: string, timeZone?: string) {
  const key = `${language} ${timeZone ?? ''}`;
  const known = formats.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone });
  formats.set(key, format);
  return format;
}

/** The day of a moment, in the viewer's own zone; the moment itself stays readable by machines. */
export const renderDate = (timestamp: string, language: string) =>
  html`<time datetime=${timestamp}>${dateFormat(language).format(new Date(timestamp))}</time>`;

/** A bank's calendar day, which is the same day in every zone. */
export const renderDay = (timestamp: string, language: string) =>
  html`<time datetime=${timestamp.slice(0, 10)}
    >${dateFormat(language, 'UTC').format(new Date(timestamp))}</time
  >`;

/** A text that may be unknown. */
export const renderText = (text: string | null) =>
  text ? html`<bdi>${text}</bdi>` : html`<span class="muted">${texts.unknown}</span>`;
