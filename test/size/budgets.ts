/** What a page loads until an element is drawn, with its ceiling in brotli bytes. */
export const BUDGETS = [
  {
    label: 'script to a drawn donation form',
    files: ['loader', 'base', 'donate'],
    maxBytes: 21_550,
  },
  { label: 'script to all three tables', files: ['loader', 'base', 'tables'], maxBytes: 18_600 },
  {
    label: 'form and tables on one page',
    files: ['loader', 'base', 'donate', 'tables'],
    maxBytes: 29_450,
  },
  { label: 'goal meter', files: ['loader', 'base', 'goal'], maxBytes: 13_100 },
] as const;

/** Files that load later on demand. */
export const DEFERRED_BUDGETS = [
  { label: 'chart of donations', name: 'chart', maxBytes: 4500 },
  { label: 'details', name: 'details', maxBytes: 2000 },
] as const;
