/** How far the elements conform to a criterion, in the terms of VPAT 2.5. */
export type Conformance = 'Supports' | 'Partially Supports' | 'Does Not Support' | 'Not Applicable';

/** A test by its file and its own title, without the titles around it; `…` stands for an interpolation. */
export interface TestReference {
  file: string;
  title: string;
}

/** A success criterion of WCAG 2.2 with our evaluation. */
export interface Criterion {
  number: string;
  name: string;
  conformance: Conformance;
  remarks: string;
  tests: readonly TestReference[];
}

/** A row: the evaluation of one criterion. */
export const row = (
  criterion: string,
  conformance: Conformance,
  remarks: string,
  ...tests: readonly TestReference[][]
): Criterion => {
  const [, number, name] = /^([\d.]+) (.*)$/.exec(criterion)!;
  return { number: number!, name: name!, conformance, remarks, tests: tests.flat() };
};

const inFile =
  (file: string) =>
  (...titles: string[]): TestReference[] =>
    titles.map((title) => ({ file, title }));
const inElements = (file: string) => inFile(`packages/elements/src/${file}.test.ts`);

const stories = inFile('packages/workshop/stories.e2e.ts');
/** axe on every state of every element. */
export const axe = stories(
  '… passes axe in light and dark, and fits at every width in both directions',
);

/** Test files by topic. */
export const testsIn = {
  criteria: inElements('accessibility-criteria'),
  magnified: inElements('accessibility'),
  screenReader: inElements('screen-reader'),
  form: inElements('connect-donate'),
  flow: inElements('form/donation-flow'),
  options: inElements('form/donation-options'),
  dialog: inElements('form/dialog'),
  cardLoading: inElements('form/card-loading'),
  resume: inElements('form/resume-donation'),
  progress: inElements('form/progress-feedback'),
  goal: inElements('connect-goal'),
  languages: inElements('languages'),
  table: inElements('tables/tables'),
  tableFeatures: inElements('tables/tables-features'),
  tableLive: inElements('tables/tables-live'),
  details: inElements('tables/details'),
  chart: inElements('tables/chart'),
  journeys: inFile('test/e2e/accessibility.e2e.ts'),
  failures: inFile('test/e2e/failures.e2e.ts'),
  cards: inFile('test/e2e/cards.e2e.ts'),
  targets: inFile('test/e2e/target-size.e2e.ts'),
  summary: inFile('test/e2e/loading-feedback.e2e.ts'),
  liveTables: inFile('test/e2e/live.e2e.ts'),
  messages: inFile('packages/locales/translator.test.ts'),
};
