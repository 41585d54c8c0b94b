const ACCENTS: Readonly<Record<string, string>> = Object.fromEntries(
  [...'aáeéiíoóuúyýAÁEÉIÍOÓUÚcçnñsšzžNÑSŠZŽ'.matchAll(/(.)(.)/g)].map(([, plain, accented]) => [
    plain,
    accented,
  ]),
);

/** Words of no language, to make a text as long as the longest translation of it. */
const FILLER = 'lorém ipsúm dolór sít ámet consectétur ';

/**
 * `en-XA`: a text as a long language would have it, accented, two fifths longer, in brackets. What
 * is written in braces stays.
 */
function pseudoLocalizeText(text: string): string {
  const accented = text.replace(/{\w+}|./g, (part) => ACCENTS[part] ?? part);
  const more = Math.ceil(text.replace(/{\w+}/g, '').length * 0.4);
  return `[${accented} ${FILLER.repeat(9).slice(0, more).trim()}]`;
}

/** All texts of a family so, in whatever forms they count. */
export const pseudoLocalize = <Texts extends object>(texts: Texts): Texts =>
  Object.fromEntries(
    Object.entries(texts).map(([key, text]: [string, string | object]) => [
      key,
      typeof text === 'string' ? pseudoLocalizeText(text) : pseudoLocalize(text),
    ]),
  ) as Texts;
