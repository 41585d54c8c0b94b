import { expect } from '@open-wc/testing';
import type { ConnectElement } from './shared/connect-element.ts';
import './define.ts';

interface ElementDescription {
  tagName?: string;
  attributes?: { name: string; fieldName?: string; type: { text: string } }[];
  members?: { kind: string; name: string; readonly?: boolean; attribute?: string }[];
}

const response = await fetch(new URL('../custom-elements.json', import.meta.url));
const { modules } = (await response.json()) as {
  modules: { declarations: ElementDescription[] }[];
};
const elements = modules
  .flatMap(({ declarations }) => declarations)
  .filter(({ tagName }) => tagName);

/** Events, slots, parts and custom properties are tested in `publish/manifest.test.ts`. */
describe('the manifest', () => {
  for (const { tagName, attributes = [], members = [] } of elements) {
    const type = customElements.get(tagName!) as CustomElementConstructor & {
      observedAttributes?: string[];
    };
    const { observedAttributes = [] } = type;
    // `connect-goal` has no base class, and no declarations.
    const { declarations } = type.prototype as Partial<ConnectElement>;
    const fields = members.filter(({ kind, readonly }) => kind === 'field' && !readonly);

    it(`has exactly the attributes that <${tagName}> observes`, () => {
      const named = attributes.filter(({ fieldName }) => fieldName || !declarations);
      expect(named.map(({ name }) => name)).to.include.members(observedAttributes);
      const rest = named.filter(({ name }) => !observedAttributes.includes(name));
      // Only style sheets use this attribute.
      expect(rest.filter(({ name }) => declarations || name !== 'theme')).to.deep.equal([]);
    });

    it(`has a property for each attribute of <${tagName}>`, () => {
      const element = document.createElement(tagName!);
      for (const { name, fieldName = '' } of attributes)
        expect(fieldName in element, name).to.equal(true);
    });

    it(`has exactly the properties of <${tagName}>`, () => {
      if (!declarations) {
        for (const { name } of fields) expect(name in document.createElement(tagName!)).to.be.true;
        return;
      }
      const publicProperties = Object.entries(declarations).filter(
        ([name]) => name !== 'features', // Internal state of the tables.
      );
      expect(fields.map(({ name }) => name).sort()).to.deep.equal(
        publicProperties.map(([name]) => name).sort(),
      );
      for (const [name, { attribute = name.toLowerCase() }] of publicProperties) {
        const field = fields.find((one) => one.name === name)!;
        expect(field.attribute, String(name)).to.equal(attribute || undefined);
      }
    });

    it(`has only methods that exist on <${tagName}>`, () => {
      const rest = members.filter((one) => !fields.includes(one));
      const element = document.createElement(tagName!) as unknown as Record<string, unknown>;
      for (const { name } of rest) expect(element[name], name).to.be.a('function');
    });
  }
});
