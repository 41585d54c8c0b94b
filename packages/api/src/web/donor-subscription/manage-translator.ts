import { createTranslator, type MessageKey, type Translator } from '@connect-embed/locales';

export type ManageKey = MessageKey<'managePage' | 'donation'>;
export type ManageTranslator = Translator<ManageKey>;

/**
 * Creates the translator of the pages on which donors manage a recurring donation.
 *
 * @param tag BCP 47 language tag; null for the default language
 */
export const createManageTranslator = (tag: string | null): ManageTranslator =>
  createTranslator(tag, 'managePage', 'donation');
