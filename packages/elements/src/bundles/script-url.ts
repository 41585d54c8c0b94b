/** An address in the folder that the files of the script are in. */
export const scriptUrl = import.meta.url;
