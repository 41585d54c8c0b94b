import { readFileSync } from 'node:fs';
import { expect, OUTPUT_VARIABLE, test } from '../support/fixtures.ts';

/** Runs after all other e2e tests and checks the output of all services. */
test('no log line contains a secret, a card number or personal data', async ({ system }) => {
  const output = readFileSync(process.env[OUTPUT_VARIABLE]!, 'utf8');
  // The start message of `npm start` names the test card.
  const lines = output.split('\n').filter((text) => !text.startsWith('  Give with card 4242 '));
  expect(lines.length).toBeGreaterThan(50); // Makes sure that requests were logged at all.
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
