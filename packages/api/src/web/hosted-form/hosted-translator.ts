import {
  createTranslator,
  preferredLanguageTag,
  type MessageKey,
  type Translator,
} from '@connect-embed/locales';

/** Translates the hosted page around the donation form. The form has its own messages. */
export type HostedTranslator = Translator<MessageKey<'hostedPage' | 'donationPage'>>;

/**
 * Creates a translator for the first supported language of the visitor's browser, or for English.
 *
 * @param accepted the `Accept-Language` header: `de-AT,de;q=0.9,en;q=0.8`
 */
export const createHostedTranslator = (accepted: string | undefined): HostedTranslator =>
  createTranslator(preferredLanguageTag(accepted), 'hostedPage', 'donationPage');
