/** Returns the first letter or digit of a name, in place of a logo. Without any, it is a heart. */
export const initialOf = (name: string): string =>
  // `u` matches whole code points, not half of a surrogate pair.
  (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? '♥').toLocaleUpperCase('en');
