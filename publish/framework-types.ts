import type { Package } from 'custom-elements-manifest/schema.d.ts';
import { elementsOf, moduleOf, type ElementFace } from './manifest.ts';

/**
 * `types/elements.d.ts`: what every tag takes and tells, for the frameworks' own types beside it.
 *
 * Types are named by the class they stand in, so that they cannot differ from it.
 */
export function frameworkTypes(manifest: Package): string {
  const elements = elementsOf(manifest);
  const events = new Set(
    elements.flatMap((one) => one.events?.map(({ type }) => type!.text) ?? []),
  );
  const names = [...elements.map(({ name }) => name), ...events];
  return `${names.map((name) => importOf(manifest, name)).join('\n')}

/** Every tag: its class, and what may be said to it and heard from it. */
export interface ConnectElements {
${elements.map(entryOf).join('\n')}
}
`;
}

const importOf = (manifest: Package, name: string) =>
  `import type { ${name} } from '../${moduleOf(manifest, name)}';`;

function entryOf({ tagName, name, attributes = [], events = [], members = [] }: ElementFace) {
  const fields = members.filter((one) => one.kind === 'field' && !('readonly' in one));
  return `  '${tagName}': {
    element: ${name};
    attributes: {
${attributes.map((one) => line(one, attributeType(one.type?.text))).join('\n')}
    };
    properties: {
${fields.map((one) => line(one, `${name}['${one.name}'] | undefined`)).join('\n')}
    };
    events: {
${events.map((one) => `${comment(one)}      '${one.name}': ${one.type!.text};`).join('\n')}
    };
  };`;
}

/** HTML knows texts; a list of words stays one. */
const attributeType = (text = 'string') => {
  if (text === 'number') return 'number | string';
  const words = text.match(/'[\w-]+'/g);
  return words ? words.join(' | ') : 'string';
};

interface Named {
  name: string;
  description?: string;
}

const line = (named: Named, type: string) =>
  `${comment(named)}      '${named.name}'?: ${type.includes('undefined') ? type : `${type} | undefined`};`;

const comment = ({ description = '' }: Named) =>
  description ? `      /** ${description.replace(/\s+/g, ' ')} */\n` : '';
