/** The parts of a form's name. */
interface FormName {
  /** On a platform: id of the connected organization whose form it is. */
  organization: string | undefined;
  slug: string;
}

/**
 * Splits the name of a form of a connected organization: `org_harbor/spring`. Slugs contain no slash.
 * Any other name is the slug of a form of this server.
 */
export function parseFormName(name: string): FormName {
  const [, organization, slug] = /^(\w{1,100})\/([^/]+)$/.exec(name) ?? [];
  return slug === undefined ? { organization: undefined, slug: name } : { organization, slug };
}
