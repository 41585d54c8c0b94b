/**
 * The query parameters of an operation, from the contract's schema of its query: the API reads
 * numbers and booleans from text, and the client writes them.
 */
export type Filters<Query> = {
  [Name in keyof Query]?: FilterValue<Name, Exclude<Query[Name], undefined>> | undefined;
};

type FilterValue<Name, Value> = Value extends 'true'
  ? true
  : Value extends 'false'
    ? false
    : Name extends `${string}_cents`
      ? number
      : Value;
