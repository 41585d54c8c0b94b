/** What a page loads until an element is drawn, with its budget in brotli bytes. */
export const BUDGETS = [
  { label: 'script to a drawn donation form', files: ['loader', 'donate'], maxBytes: 11_600 },
  { label: 'the same, with the form in the script', files: ['withForm'], maxBytes: 11_400 },
  { label: 'all three tables', files: ['tables'], maxBytes: 8500 },
  { label: 'the same, with the loader', files: ['loader', 'tables'], maxBytes: undefined },
  { label: 'loader', files: ['loader'], maxBytes: 700 },
  { label: 'goal meter', files: ['goal'], maxBytes: 4000 },
  { label: 'form and tables on one page', files: ['loader', 'all'], maxBytes: undefined },
] as const;

/** Files that load later on demand; the largest variant counts. */
export const DEFERRED_BUDGETS = [
  { label: 'chart of donations', name: 'chart', maxBytes: 4100 },
  { label: 'details', name: 'details', maxBytes: 1700 },
] as const;
