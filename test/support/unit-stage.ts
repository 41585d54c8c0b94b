import type { Stage } from './stages.ts';

/** Where tests that run on Node alone are found; those of the elements need a browser. */
const GLOBS = [
  'packages/contract/src/**/*.test.ts',
  'packages/sandbox/**/*.test.ts',
  'packages/api/**/*.test.ts',
  'server/**/*.test.ts',
  'demo/**/*.test.ts',
  'test/{docs,lint,support}/**/*.test.ts',
];

/** Most files wait for a process, a timer or the database: two cores carry more than two. */
const FILES_AT_A_TIME = 4;

/** One run for all rooms: their files share the cores, one PostgreSQL and one browser. */
export const UNIT: Stage = {
  name: 'unit tests',
  command: [
    `node test/support/with-browser.ts -- node --test --test-reporter=dot --test-concurrency=${FILES_AT_A_TIME}`,
    '--test-global-setup=packages/api/test-support/global-setup.ts',
    ...GLOBS.map((glob) => `"${glob}"`),
  ].join(' '),
};
