/** Rows of a list on one page of the dashboard. */
export const PAGE_SIZE = 25;
