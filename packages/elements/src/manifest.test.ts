import { expect } from '@open-wc/testing';
import type { LitElement } from 'lit';
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
    // An element without Lit has neither.
    const { observedAttributes = [], elementProperties } = customElements.get(
      tagName!,
    ) as typeof LitElement;
    const fields = members.filter(({ kind, readonly }) => kind === 'field' && !readonly);

    it(`has exactly the attributes that <${tagName}> observes`, () => {
      const named = attributes.filter(({ fieldName }) => fieldName || !elementProperties);
      expect(named.map(({ name }) => name)).to.include.members(observedAttributes);
      const rest = named.filter(({ name }) => !observedAttributes.includes(name));
      // Only style sheets use this attribute.
      expect(rest.filter(({ name }) => elementProperties || name !== 'theme')).to.deep.equal([]);
    });

    it(`has a property for each attribute of <${tagName}>`, () => {
      const element = document.createElement(tagName!);
      for (const { name, fieldName = '' } of attributes)
        expect(fieldName in element, name).to.equal(true);
    });

    it(`has exactly the properties of <${tagName}>`, () => {
      if (!elementProperties) {
        for (const { name } of fields) expect(name in document.createElement(tagName!)).to.be.true;
        return;
      }
      const publicProperties = [...elementProperties].filter(([, { state }]) => !state);
      expect(fields.map(({ name }) => name).sort()).to.deep.equal(
        publicProperties.map(([name]) => name).sort(),
      );
      for (const [name, { attribute = true }] of publicProperties) {
        const field = fields.find((one) => one.name === name)!;
        const defaultName = attribute === true ? (name as string).toLowerCase() : attribute;
        expect(field.attribute, String(name)).to.equal(defaultName || undefined);
      }
    });

    it(`has only methods that exist on <${tagName}>`, () => {
      const rest = members.filter((one) => !fields.includes(one));
      const element = document.createElement(tagName!) as unknown as Record<string, unknown>;
      for (const { name } of rest) expect(element[name], name).to.be.a('function');
    });
  }
});
