/**
 * Matches one letter, except in scripts in which one character may be a whole name. Names in these
 * scripts are masked completely.
 */
const MASKABLE_LETTER = /^[\p{L}--[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}]]$/v;

/**
 * Returns the initials of the first and the last word of a name: `A. L.` for Ada King Lovelace.
 *
 * A word of one letter is left out, because its initial would reveal it completely.
 *
 * @returns null if no initial remains
 */
export function initialsOf(name: unknown): string | null {
  if (typeof name !== 'string') return null;
  const words = name.normalize('NFC').split(/\s+/u).map(lettersOf);
  const visible = words.filter(
    ([first, second]) => second !== undefined && MASKABLE_LETTER.test(first!),
  );
  const firstAndLast = visible.length > 1 ? [visible[0]!, visible.at(-1)!] : visible;
  return firstAndLast.map(([first]) => `${first!.toUpperCase()}.`).join(' ') || null;
}

const lettersOf = (word: string) => [...word.replace(/[^\p{L}]/gu, '')];
