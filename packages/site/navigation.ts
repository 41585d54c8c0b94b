/**
 * The navigation, by what a reader wants. Paths are those of the site's pages, without `.md`; a page
 * that is not listed is appended to the last section, so that no page is lost.
 */
export interface Section {
  title: string;
  pages: readonly string[];
  isCollapsed?: boolean;
}

export const SECTIONS: readonly Section[] = [
  { title: 'Start', pages: ['overview', 'adopting', 'playground', 'comparison'] },
  { title: 'Donation form', pages: ['donation-form', 'donation-form-special-cases', 'forms'] },
  { title: 'Goals', pages: ['goal'] },
  { title: 'Tables', pages: ['tables', 'tables-special-cases', 'tables-for-platforms'] },
  {
    title: 'For organizations',
    pages: [
      'organizations/index',
      'organizations/first-form',
      'organizations/test-and-live',
      'organizations/sharing',
      'organizations/campaigns',
      'organizations/funds',
      'organizations/this-month',
      'organizations/finding-donations',
      'organizations/refunds',
      'organizations/disputes',
      'organizations/receipts',
      'organizations/recurring-donations',
      'organizations/donors',
      'organizations/exports',
      'organizations/team',
    ],
  },
  {
    title: 'Site builders',
    isCollapsed: true,
    pages: [
      'site-builders/index',
      'site-builders/wordpress',
      'site-builders/squarespace',
      'site-builders/wix',
      'site-builders/webflow',
      'site-builders/shopify',
      'site-builders/ghost',
      'site-builders/html',
    ],
  },
  {
    title: 'For developers',
    pages: [
      'recipes',
      'platforms',
      'api-client',
      'mcp',
      'api/index',
      'api/authentication',
      'api/oauth',
      'api/oauth-libraries',
      'api/pagination',
      'api/errors',
      'api/idempotency',
      'api/rate-limits',
      'api/webhooks',
      'api/examples',
    ],
  },
  {
    title: 'Operate',
    pages: [
      'production',
      'operations',
      'operations-settings',
      'operations-variants',
      'scaling',
      'performance',
      'peak-load',
      'operations-rotation',
      'operations-runbooks',
      'card-testing',
      'faults',
    ],
  },
  {
    title: 'About',
    pages: ['accessibility-conformance', 'conformance', 'dependencies', 'changelog'],
  },
];

/** The front page, which is not in the navigation. */
export const FRONT_PAGE = 'index';

/** A page of the site: its path without `.md`, and its title. */
export interface PageTitle {
  path: string;
  title: string;
}

export interface FilledSection {
  title: string;
  isCollapsed: boolean;
  pages: PageTitle[];
}

/** Fills the sections with the pages that exist. The decision records are a section of their own. */
export function fillSections(pages: readonly PageTitle[]): FilledSection[] {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  byPath.delete(FRONT_PAGE);
  const take = (paths: readonly string[]) =>
    paths.flatMap((path) => {
      const page = byPath.get(path);
      byPath.delete(path);
      return page ?? [];
    });
  const sections = SECTIONS.map(({ title, isCollapsed = false, pages }) => ({
    title,
    isCollapsed,
    pages: take(pages),
  }));
  const decisions = take([...byPath.keys()].filter((path) => path.startsWith('decisions/')).sort());
  sections.at(-1)!.pages.push(...byPath.values());
  return [...sections, { title: 'Decisions', isCollapsed: true, pages: decisions }];
}
