/** The attributes with which the playground shows an element first: names of the demo's data. */
export const FIRST_VALUES: Readonly<Record<string, Record<string, string>>> = {
  'connect-donate': { form: 'meals' },
  'connect-goal': { campaign: 'camp_winter' },
};
