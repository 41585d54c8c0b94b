import manifest from '@connect-embed/elements/custom-elements.json' with { type: 'json' };

/** An attribute that the playground has a control for. */
export interface Attribute {
  name: string;
  /** The property, and the prop in React. */
  property: string;
  description: string;
  /** `choice` has fixed values; `number` accepts text, too. */
  kind: 'text' | 'number' | 'boolean' | 'choice';
  choices: string[];
}

/** A part or a custom property, with its description. */
export interface Named {
  name: string;
  description: string;
  default?: string;
}

export interface ElementInfo {
  tag: string;
  /** Name of the class, and of the component in React. */
  className: string;
  description: string;
  attributes: Attribute[];
  customProperties: Named[];
  parts: Named[];
}

interface ManifestAttribute extends Named {
  fieldName?: string;
  type?: { text: string };
}

interface Declaration extends Named {
  tagName?: string;
  attributes?: ManifestAttribute[];
  cssProperties?: Named[];
  cssParts?: Named[];
}

/** Attributes that the preview sets itself, or whose value is an object. */
const WITHOUT_CONTROL = /^(server|viewer-token|messages|appearance|donation-id|payout-id)$/;

/** A description of the manifest as plain text. */
const plain = (text: string) => text.replace(/\s+/g, ' ').replaceAll('`', '');

const toNamed = (named: Named): Named => ({ ...named, description: plain(named.description) });

function toAttribute({ name, fieldName = name, type, description }: ManifestAttribute): Attribute {
  const text = type?.text ?? 'string';
  const choices = [...text.matchAll(/'([^']+)'/g)].map(([, value]) => value!);
  const kind = choices.length > 0 ? 'choice' : text === 'boolean' ? 'boolean' : null;
  return {
    name,
    property: fieldName,
    description: plain(description),
    kind: kind ?? (text.includes('number') ? 'number' : 'text'),
    choices,
  };
}

const declarations = (
  manifest as unknown as { modules: { declarations?: Declaration[] }[] }
).modules
  .flatMap((module) => module.declarations ?? [])
  .filter((declaration) => declaration.tagName);

/** Every element of the manifest, the form first. */
export const ELEMENTS: readonly ElementInfo[] = declarations.map((declaration) => ({
  tag: declaration.tagName!,
  className: declaration.name,
  description: declaration.description,
  attributes: (declaration.attributes ?? [])
    .filter(({ name }) => !WITHOUT_CONTROL.test(name))
    .map(toAttribute),
  customProperties: (declaration.cssProperties ?? []).map(toNamed),
  parts: (declaration.cssParts ?? []).map(toNamed),
}));
