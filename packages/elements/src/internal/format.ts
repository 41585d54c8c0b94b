import { formatMoney } from '@connect-embed/contract/format-money';
import { tableTexts as texts } from './messages/tables.ts';

const formats: Record<string, Intl.DateTimeFormat> = {};

/** Formats are slow to make and there is one a row: each is made once. */
const dateFormat = (language: string, timeZone?: string) =>
  (formats[`${language} ${timeZone}`] ??= new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeZone,
  }));

/** The first that is a zone; `tables/check-attributes.ts` tells of what is none. */
export const findTimeZone = (...zones: (string | null | undefined)[]): string | undefined =>
  zones.find((zone): zone is string => {
    try {
      return !!zone && !!dateFormat('en', zone);
    } catch {
      return false;
    }
  });

/** A node that says one thing: a cell's, made without a template for there are many. */
export function createNode(tag: string, text: string, className?: string): HTMLElement {
  const node = document.createElement(tag);
  if (text) node.textContent = text;
  if (className) node.className = className;
  return node;
}

/** An amount that may be below nothing: its minus stays before it wherever the text around it runs. */
export const renderMoney = (cents: number, currency: string, language: string) =>
  createNode('bdi', formatMoney(cents, currency, language));

/** The day of a moment, in a zone; the moment itself stays readable by machines. */
export function renderDate(timestamp: string, language: string, timeZone?: string): HTMLElement {
  const node = createNode('time', dateFormat(language, timeZone).format(new Date(timestamp)));
  node.setAttribute('datetime', timestamp);
  return node;
}

/** A bank's calendar day, which is the same day in every zone. */
export const renderDay = (timestamp: string, language: string) =>
  renderDate(timestamp.slice(0, 10), language, 'UTC');

/** A text that may be unknown. Names may run the other way than the page: each cell is its own. */
export const renderText = (text: string | null, unknown: string = texts.unknown) =>
  text || createNode('span', unknown, 'muted');

export const renderName = (name: string | null) => renderText(name, texts.anonymous);
