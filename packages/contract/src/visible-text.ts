/** Characters that leave no mark: spaces, those that only format, and blank letters such as U+3164. */
const INVISIBLE_ONLY = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Removes spaces around a text; empty if a reader would see nothing of it. */
export const trimToVisible = (text: string): string => (hasVisibleText(text) ? text.trim() : '');

/** Whether a reader would see anything of a text. */
export const hasVisibleText = (text: string): boolean => !INVISIBLE_ONLY.test(text);
