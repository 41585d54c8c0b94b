import { createTranslator, type MessageKey, type Translator } from '@connect-embed/locales';

export type ManageKey = MessageKey<'managePage' | 'donation'>;
export type ManageTranslator = Translator<ManageKey>;

/** Translates the pages on which donors manage a recurring gift, into the language of a tag. */
export const createManageTranslator = (tag: string | null): ManageTranslator =>
  createTranslator(tag, 'managePage', 'donation');
