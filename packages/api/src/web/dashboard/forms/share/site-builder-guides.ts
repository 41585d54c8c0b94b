/** A guide that explains how to add a form with a site builder. */
interface SiteBuilderGuide {
  /** Name of the site builder, such as `WordPress`. */
  name: string;
  href: string;
}

/** Lists the guides for site builders that the share page links to. */
export const siteBuilderGuides = (): readonly SiteBuilderGuide[] => [];
