const MAX_LENGTH = 60;

/**
 * What a name becomes in an address: `Build the Kitchen!` is `build-the-kitchen`.
 *
 * Letters that have a Latin base lose their marks; a name of other letters has no slug, and the
 * caller falls back on something that is unique anyway.
 */
export const toSlug = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '');

/** Lower-case words with hyphens between them, as they stand in an address. */
export const isSlug = (text: string): boolean =>
  text.length <= MAX_LENGTH && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text);
