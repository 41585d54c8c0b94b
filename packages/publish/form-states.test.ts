import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { format, resolveConfig } from 'prettier';
import { TRANSITIONS } from '../elements/src/form/form-state.ts';

const README = join(import.meta.dirname, '../elements/README.md');

/** The states of the donation form as a Markdown table: the next state by state and event. */
function formStatesMarkdown(): string {
  const states = Object.entries(TRANSITIONS);
  const events = [...new Set(states.flatMap(([, transitions]) => Object.keys(transitions)))];
  const rows = states.map(([state, transitions]) => {
    const next = transitions as Record<string, string | undefined>;
    return [`**${state}**`, ...events.map((event) => next[event] ?? '')];
  });
  const header = ['State', ...events.map((event) => `\`${event}\``)];
  return [header, header.map(() => '-'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** `UPDATE_DOCS=1 npm run test:unit` updates the table. */
test('README.md of the elements has the table of the form’s states', async () => {
  const text = readFileSync(README, 'utf8');
  const between = /(<!-- states: .* -->)[\s\S]*(<!-- \/states -->)/;
  const raw = text.replace(between, `$1\n\n${formStatesMarkdown()}\n\n$2`);
  const options = { ...(await resolveConfig(README)), parser: 'markdown' };
  const expected = await format(raw, options);
  if (process.env['UPDATE_DOCS']) writeFileSync(README, expected);
  else assert.equal(text, expected);
});
