import type { LitElement } from 'lit';
import { expect } from '@open-wc/testing';
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

/** Events, slots, parts and custom properties are tested in `packages/publish/manifest.test.ts`. */
describe('the manifest', () => {
  for (const { tagName, attributes = [], members = [] } of elements) {
    const type = customElements.get(tagName!) as typeof LitElement;
    const { observedAttributes } = type;
    /** The public reactive properties. `@state()` properties are internal. */
    const properties = [...type.elementProperties].filter(([, { state }]) => !state);
    const fields = members.filter(({ kind, readonly }) => kind === 'field' && !readonly);

    it(`has exactly the attributes that <${tagName}> observes`, () => {
      const names = attributes.filter(({ fieldName }) => fieldName).map(({ name }) => name);
      expect(names.sort()).to.deep.equal([...observedAttributes].sort());
    });

    it(`has a property for each attribute of <${tagName}>`, () => {
      const element = document.createElement(tagName!);
      for (const { name, fieldName = '' } of attributes)
        expect(fieldName in element, name).to.equal(true);
    });

    it(`has exactly the properties of <${tagName}>`, () => {
      expect(fields.map(({ name }) => name).sort()).to.deep.equal(
        properties.map(([name]) => name).sort(),
      );
      for (const [name, { attribute = true }] of properties) {
        const field = fields.find((one) => one.name === name)!;
        const expected = attribute === true ? String(name).toLowerCase() : attribute || undefined;
        expect(field.attribute, String(name)).to.equal(expected);
      }
    });

    it(`has only methods that exist on <${tagName}>`, () => {
      const rest = members.filter((one) => !fields.includes(one));
      const element = document.createElement(tagName!) as unknown as Record<string, unknown>;
      for (const { name } of rest) expect(element[name], name).to.be.a('function');
    });
  }
});
