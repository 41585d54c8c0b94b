/** The parts of the name by which pages select a form. */
interface FormName {
  /** On a platform: id of the connected organization whose form it is. */
  organization: string | undefined;
  /** Of a campaign: its id. */
  slug: string;
}

/**
 * Splits the name of a form of a connected organization: `org_harbor/spring`. Slugs contain no slash.
 * Any other name is the slug of a form of this server. Names of campaigns, `org_harbor/camp_winter`,
 * have the same parts.
 */
export function parseFormName(name: string): FormName {
  const [, organization, slug] = /^(\w{1,100})\/([^/]+)$/.exec(name) ?? [];
  return slug === undefined ? { organization: undefined, slug: name } : { organization, slug };
}
