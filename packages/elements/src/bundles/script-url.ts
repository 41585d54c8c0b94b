/** The URL of this file, which is in the same folder as the built script. */
export const scriptUrl = import.meta.url;
