import type { Language } from '../shared/language.ts';
import type { TablesMessages } from '../shared/message-types.ts';
import type { DisplayOptions } from './column.ts';
import type { ComponentSession } from './component-session.ts';
import { findProvider } from './default-provider.ts';
import { findTimeZone } from '../shared/time-zone.ts';

/** A table or a details element. */
interface DisplayHost extends HTMLElement {
  readonly timeZone: string;
  readonly language: Language<TablesMessages>;
  readonly pages: { session: ComponentSession | undefined };
}

/**
 * What the texts of an element are formatted with now. Its own time zone takes precedence, then that of the
 * provider around it, then the organization's.
 */
export function displayOptionsOf(element: DisplayHost): DisplayOptions {
  const { language, pages, timeZone } = element;
  return {
    messages: language.messages,
    language: language.tag,
    messagesLanguage: language.code,
    timeZone: findTimeZone(timeZone, findProvider(element)?.timeZone, pages.session?.timeZone),
  };
}
