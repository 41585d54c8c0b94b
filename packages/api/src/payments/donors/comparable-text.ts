/** The text without differences in which a person can write the same name: case and spaces. */
export const comparableText = (text: string): string =>
  text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
