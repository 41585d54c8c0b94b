const ACCENTS: Readonly<Record<string, string>> = Object.fromEntries(
  [...'aáeéiíoóuúyýAÁEÉIÍOÓUÚcçnñsšzžNÑSŠZŽ'.matchAll(/(.)(.)/g)].map(([, plain, accented]) => [
    plain,
    accented,
  ]),
);

/** Filler that makes a text as long as its longest translation. */
const FILLER = 'lorém ipsúm dolór sít ámet consectétur ';

/**
 * Pseudo-localizes a text (`en-XA`): accented, 40 % longer and in brackets. Placeholders in braces
 * are kept.
 */
function pseudoLocalizeText(text: string): string {
  const accented = text.replace(/{\w+}|./g, (part) => ACCENTS[part] ?? part);
  const more = Math.ceil(text.replace(/{\w+}/g, '').length * 0.4);
  return `[${accented} ${FILLER.repeat(9).slice(0, more).trim()}]`;
}

/** Pseudo-localizes all texts of a family, including plural forms. */
export const pseudoLocalize = <Messages extends object>(messages: Messages): Messages =>
  Object.fromEntries(
    Object.entries(messages).map(([key, text]: [string, string | object]) => [
      key,
      typeof text === 'string' ? pseudoLocalizeText(text) : pseudoLocalize(text),
    ]),
  ) as Messages;
