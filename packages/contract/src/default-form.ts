/** Name of the form that is shown on a page that names none. */
export const DEFAULT_FORM = 'default';
