import type { Donor, Payout } from '@connect-embed/contract';
import { formatMoney } from '@connect-embed/contract/format-money';
import { messages } from './table-messages.ts';

const formats: Record<string, Intl.DateTimeFormat> = {};

/** Date formats of table cells, cached because creating one is slow and every row needs it. */
const dateFormat = (language: string, timeZone?: string) =>
  (formats[`${language} ${timeZone}`] ??= new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeZone,
  }));

/** The first valid time zone. `tables/check-attributes.ts` warns about an invalid one. */
export const findTimeZone = (...zones: (string | null | undefined)[]): string | undefined =>
  zones.find((zone): zone is string => {
    try {
      return !!zone && !!dateFormat('en', zone);
    } catch {
      return false;
    }
  });

/** Creates an element with a text. Used for cells instead of a template, because there are many cells. */
export function createNode(tag: string, text: string, className?: string): HTMLElement {
  const node = document.createElement(tag);
  if (text) node.textContent = text;
  if (className) node.className = className;
  return node;
}

/**
 * Renders an amount. The `<bdi>` keeps the minus sign of a negative amount in front of it in
 * right-to-left text.
 */
export const renderMoney = (cents: number, currency: string, language: string) =>
  createNode('bdi', formatMoney(cents, currency, language));

/** Renders the date of a timestamp in a time zone, as a `<time>` element with the timestamp. */
export function renderDate(timestamp: string, language: string, timeZone?: string): HTMLElement {
  const node = createNode('time', dateFormat(language, timeZone).format(new Date(timestamp)));
  node.setAttribute('datetime', timestamp);
  return node;
}

/** Renders a calendar date of a bank, which does not depend on the time zone. */
export const renderDay = (timestamp: string, language: string) =>
  renderDate(timestamp.slice(0, 10), language, 'UTC');

/** Shown for an unknown value. */
export const UNKNOWN = '—';

/** Renders a text, or a dash if it is null. */
export const renderText = (text: string | null, unknown = UNKNOWN) =>
  text || createNode('span', unknown, 'muted');

export const renderName = (name: string | null) => renderText(name, messages.anonymous);

/** Joins the fields of a table cell that shows several fields; null if all are empty. */
const joinNonEmpty = (parts: (string | null)[], separator: string) =>
  parts.filter(Boolean).join(separator) || null;

export const fullName = ({ first_name, last_name }: Donor) =>
  joinNonEmpty([first_name, last_name], ' ');

export const formatAddress = ({ city, state, country }: Donor) =>
  joinNonEmpty([city, state, country], ', ');

export const descriptionOf = ({ description, statement_descriptor }: Payout) =>
  description ?? statement_descriptor;
