/**
 * Forms of the server's configuration file have a name and no id. In a list of forms and in the URL of a filter, they
 * are identified by this text, which no id is.
 */
const PREFIX = 'name:';

export const fileFormId = (name: string) => PREFIX + name;

/** Returns the name of the form if the id is that of a form of the configuration file. */
export const fileFormName = (id: string): string | undefined =>
  id.startsWith(PREFIX) ? id.slice(PREFIX.length) : undefined;

/** Text of such a form among those of the dashboard. */
export const fileFormText = (name: string) => `${name} (in a file)`;
