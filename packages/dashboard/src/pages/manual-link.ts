/** Path of the manual for organizations, whose pages are those of docs/organizations. */
export const MANUAL_PATH = '/help/organizations';

/** Titles of its pages by file name without `.md`, in the order in which they are listed. */
export const MANUAL_PAGES = {
  'first-form': 'Your first form',
  'test-and-live': 'Test and live',
  sharing: 'Share a form',
  campaigns: 'Campaigns and goals',
  funds: 'Funds',
  'this-month': 'This month',
  'finding-donations': 'Find a donation',
  refunds: 'Refunds',
  disputes: 'Disputes',
  receipts: 'Receipts',
  'recurring-donations': 'Monthly and other recurring donations',
  donors: 'Data of donors',
  exports: 'Exports and payouts',
  team: 'Team and roles',
};
type ManualPage = keyof typeof MANUAL_PAGES;

/** Which page of the manual explains a page of the dashboard: the first whose pattern matches its path. */
const EXPLAINED: readonly (readonly [RegExp, ManualPage])[] = [
  [/^$/, 'this-month'],
  [/^\/forms\/[^/]+\/(share|poster|picture)/, 'sharing'],
  [/^\/(forms|allowed-sites|server)/, 'first-form'],
  [/^\/(go-live|payments|test-donation)/, 'test-and-live'],
  [/^\/campaigns/, 'campaigns'],
  [/^\/funds/, 'funds'],
  [/^\/donations\/([^/]+\/refund|refunds)/, 'refunds'],
  [/^\/donations\/disputes/, 'disputes'],
  [/^\/donations\/[^/]+\/receipt|^\/(receipts|organization)/, 'receipts'],
  [/^\/(donations|search)/, 'finding-donations'],
  [/^\/plans/, 'recurring-donations'],
  [/^\/donors/, 'donors'],
  [/^\/payouts/, 'exports'],
  [/^\/(team|dashboard\/account)/, 'team'],
];

/** The page about disputes, which are part of the page of a donation. */
export const DISPUTES_HELP = `${MANUAL_PATH}/disputes`;

/**
 * Returns the link to the manual for a page of the dashboard; undefined if no page of it explains that one.
 *
 * @param path path below that of the organization, such as `/donations/don_1/refund`; the whole path of a page
 *   of the account
 */
export function manualLink(path: string): { href: string; text: string } | undefined {
  const name = EXPLAINED.find(([pattern]) => pattern.test(path))?.[1];
  return name && { href: `${MANUAL_PATH}/${name}`, text: MANUAL_PAGES[name] };
}
