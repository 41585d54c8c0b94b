/** Scripts in which one character may be a whole name: nothing of these is told. */
const ALPHABET = /^[\p{L}--[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}]]$/v;

/**
 * `A. L.` for Ada King Lovelace: the first and the last word's letter.
 *
 * A word of one letter would be told whole, so it is left out.
 *
 * @returns null when nothing is left
 */
export function initialsOf(name: unknown): string | null {
  if (typeof name !== 'string') return null;
  const words = name.normalize('NFC').split(/\s+/u).map(lettersOf);
  const visible = words.filter(([first, second]) => second !== undefined && ALPHABET.test(first!));
  const ends = visible.length > 1 ? [visible[0]!, visible.at(-1)!] : visible;
  return ends.map(([first]) => `${first!.toUpperCase()}.`).join(' ') || null;
}

const lettersOf = (word: string) => [...word.replace(/[^\p{L}]/gu, '')];
