import type { Package } from 'custom-elements-manifest/schema.d.ts';
import { classOf, elementsOf, moduleOf, type ElementDeclaration } from './manifest.ts';

/**
 * Generates `types/elements.d.ts`: attributes, properties and events of every tag, which the type
 * files of each framework use.
 *
 * Types refer to the element classes, so that they cannot differ from them.
 */
export function frameworkTypes(manifest: Package): string {
  const elements = elementsOf(manifest);
  const events = new Set(elements.flatMap((item) => item.events?.map(classOf) ?? []));
  const names = [...elements.map(({ name }) => name), ...events];
  return `${names.map((name) => importOf(manifest, name)).join('\n')}

/** The class, attributes, properties and events of every tag. */
export interface ConnectElements {
${elements.map(entryOf).join('\n')}
}
`;
}

const importOf = (manifest: Package, name: string) =>
  `import type { ${name} } from '../${moduleOf(manifest, name)}';`;

function entryOf({
  tagName,
  name,
  attributes = [],
  events = [],
  members = [],
}: ElementDeclaration) {
  const fields = members.filter((item) => item.kind === 'field' && !('readonly' in item));
  return `  '${tagName}': {
    element: ${name};
    attributes: {
${attributes.map((item) => declarationLine(item, attributeType(item.type?.text))).join('\n')}
    };
    properties: {
${fields.map((item) => declarationLine(item, `${name}['${item.name}'] | undefined`)).join('\n')}
    };
    events: {
${events.map((item) => `${comment(item)}      '${item.name}': ${item.type!.text};`).join('\n')}
    };
  };`;
}

/** Attributes are strings in HTML; an enum keeps its values. */
const attributeType = (text = 'string') => {
  if (/\bnumber\b/.test(text)) return 'number | string';
  const literals = text.match(/'[\w-]+'/g);
  return literals ? literals.join(' | ') : 'string';
};

interface NamedMember {
  name: string;
  description?: string;
}

const declarationLine = (named: NamedMember, type: string) =>
  `${comment(named)}      '${named.name}'?: ${type.includes('undefined') ? type : `${type} | undefined`};`;

const comment = ({ description = '' }: NamedMember) =>
  description ? `      /** ${description.replace(/\s+/g, ' ')} */\n` : '';
