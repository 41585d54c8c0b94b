import { readFileSync } from 'node:fs';
import { readEnvironment } from '../support/environment.ts';
import { expect, test } from '../support/fixtures.ts';

const readOutput = () => readFileSync(readEnvironment().outputFile, 'utf8');

/** Runs after all other e2e tests and checks the output of all services. */
test('no log line contains a secret, a card number or personal data', async ({ system }) => {
  // Makes sure that requests were logged at all: every test makes some.
  const tests = readFileSync(readEnvironment().countFile, 'utf8').length;
  const requestLines = () => readOutput().match(/"msg":"request"/g) ?? [];
  await expect.poll(() => requestLines().length).toBeGreaterThan(tests);
  const output = readOutput();
  // The start message of `npm start` names the test card.
  const lines = output.split('\n').filter((text) => !text.startsWith('  Give with card 4242 '));
  const kinds: Record<string, RegExp> = {
    'an API key': /gb_live_\w{8,}/,
    'a session token': /gb_(es|cs)_\w{8,}/,
    'a visitor or viewer token': /eyJ[\w-]{10,}\.[\w-]{10,}/,
    "the processor's key": /sk_test_\w+|whsec_\w+/,
    'a client secret': /pi_\w+_secret_\w+/,
    'a card': /4242[\s-]?4242|4000[\s-]?00\d\d[\s-]?\d{4}/,
    "a donor's email": /donor-[\w-]+(@|%40)example\.org/,
    "a donor's name": /Grace Hopper|Katherine Johnson|Dorothy Vaughan|Ada Lovelace/,
  };
  const leaks = Object.entries(kinds).flatMap(([kind, pattern]) => {
    const line = lines.find((text) => pattern.test(text));
    return line ? [`${kind}: ${line.slice(0, 300)}`] : [];
  });
  expect(leaks).toEqual([]);
  expect(output).not.toContain(system.api_key);
});
