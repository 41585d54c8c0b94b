/** Rows per page of a dashboard list. */
export const PAGE_SIZE = 25;
