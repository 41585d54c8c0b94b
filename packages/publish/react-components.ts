import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Package } from 'custom-elements-manifest/schema.d.ts';
import { format } from 'prettier';
import { classOf, elementsOf, type ElementDeclaration } from './manifest.ts';

const SOURCES = join(import.meta.dirname, '../react/src');

/** Returns the React prop of an event: `onConnectLoadError` for `connect-load-error`. */
const propOf = (event: string) =>
  `on${event.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;

/**
 * Generates the sources of `@connect-embed/react` by file name: a module for each element, and
 * `index.ts`.
 */
export async function reactComponents(manifest: Package): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const elements = elementsOf(manifest);
  for (const element of elements) files.set(`${element.tagName}.ts`, componentOf(element));
  const all = elements.map(({ name, tagName }) => `export { ${name} } from './${tagName}.ts';`);
  files.set('index.ts', `/** Every element. Made by \`npm run manifest\`. */\n${all.join('\n')}`);
  for (const [name, text] of files) {
    files.set(
      name,
      await format(text, { parser: 'typescript', printWidth: 100, singleQuote: true }),
    );
  }
  return files;
}

function componentOf({
  name,
  tagName,
  description = '',
  attributes = [],
  events = [],
  members = [],
}: ElementDeclaration) {
  const types = [...new Set(events.map(classOf))].sort();
  // Attributes without a property of the same name become props that are passed on unchanged.
  const isProperty = (name: string) => members.some((member) => member.name === name);
  const attributeOnlyProps = attributes.filter(
    ({ fieldName, name }) => !fieldName && !isProperty(name),
  );
  const attributeProps = attributeOnlyProps.map(
    ({ name, type }) => `'${name}'?: ${type?.text ?? 'string'} | undefined;`,
  );
  return `import { ${name} as Element } from '@connect-embed/elements/define/${tagName}.js';
import type { ${types.join(', ')} } from '@connect-embed/elements';
import { createComponent, type EventName } from '@lit/react';
import * as React from 'react';

// A server registers no elements. This adds the properties to the class there, too.
void Element.observedAttributes;

/** \`<${tagName}>\`: ${description.split('\n')[0]} Made by \`npm run manifest\`. */
export const ${name} = createComponent({
  react: React,
  tagName: '${tagName}',
  displayName: '${name}',
  elementClass: Element${attributeProps.length ? ` as new () => Element & { ${attributeProps.join(' ')} }` : ''},
  events: {
    ${events.map((item) => `${propOf(item.name)}: '${item.name}' as EventName<${item.type!.text}>,`).join('\n')}
  },
});
`;
}

export async function writeReactComponents(manifest: Package): Promise<void> {
  mkdirSync(SOURCES, { recursive: true });
  for (const [name, text] of await reactComponents(manifest)) {
    writeFileSync(join(SOURCES, name), text);
  }
}
