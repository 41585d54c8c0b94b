/** An address in the folder that the files of the script are in. */
export const home = import.meta.url;
