/**
 * Forms of the server's configuration file have a name and no id. In a list of forms and in the URL of a filter, they
 * are identified by this prefix and their name. No id starts with it.
 */
export const FILE_FORM_PREFIX = 'name:';

export const fileFormId = (name: string) => FILE_FORM_PREFIX + name;

/** Returns the name of the form if the id is that of a form of the configuration file. */
export const fileFormName = (id: string): string | undefined =>
  id.startsWith(FILE_FORM_PREFIX) ? id.slice(FILE_FORM_PREFIX.length) : undefined;

/** Text of such a form among those of the dashboard. */
export const fileFormText = (name: string) => `${name} (in a file)`;
