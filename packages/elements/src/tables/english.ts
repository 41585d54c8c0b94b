import { tableFeatures } from '@connect-embed/locales/en.json';
import type { TablesMessages } from '../shared/message-types.ts';
import { messages } from './table-messages.ts';

/** All English messages. Adds those that a table does not need for its first rows. */
export const ENGLISH: Readonly<TablesMessages> = { ...Object.assign(messages, tableFeatures) };
