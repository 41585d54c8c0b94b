/** Namespaces that the elements load as one file for each language. */
export const ELEMENT_NAMESPACES = {
  form: ['form', 'donationFlow'],
  tables: ['tables', 'tableFeatures'],
  goal: ['goal'],
} as const;
