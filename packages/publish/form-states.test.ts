import { test } from 'node:test';
import { expectPart } from '../../test/docs/generated-part.ts';
import { TRANSITIONS } from '../elements/src/form/form-state.ts';

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

test('README.md of the elements has the table of the form’s states', () =>
  expectPart('packages/elements/README.md', 'states', formStatesMarkdown()));
