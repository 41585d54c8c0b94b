import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Package } from 'custom-elements-manifest/schema.d.ts';
import { elementsOf } from '../manifest.ts';
import { describeInterface } from './baseline.ts';
import { compareInterfaces } from './compare.ts';
import type { Declarations } from './declarations.ts';
import { installReleaseTools } from './tools.ts';

interface Schema {
  type: string;
  properties: Record<string, { type?: string; enum?: string[] }>;
  required?: string[];
}
interface Document {
  paths: Record<string, Record<string, { description?: string; parameters: { schema: object }[] }>>;
  components: { schemas: Record<string, Schema> };
}

const last = describeInterface();

/** Compares with a copy of the interface, in which a change is planted. */
async function levelOf(
  plant: (document: Document, manifest: Package, declarations: Declarations) => void,
) {
  const next = structuredClone(last);
  plant(next.document as Document, next.manifest as Package, next.declarations);
  return (await compareInterfaces(last, next)).level;
}
const planted =
  (name: string, change: (schema: Schema) => void) =>
  ({ components }: Document) =>
    change(components.schemas[name]!);

/** Changes the first place of a text in the declarations of a module of the client. */
const declared =
  (module: string, text: RegExp, replacement: string) =>
  (_: Document, __: Package, declarations: Declarations) => {
    const file = `client/${module}.d.ts`;
    assert.match(declarations[file]!, text);
    declarations[file] = declarations[file]!.replace(text, replacement);
  };

describe('the comparison with the last release', () => {
  before(() => installReleaseTools());

  test('changes neither interface, of which one becomes the baseline', async () => {
    const [before, after] = [structuredClone(last), structuredClone(last)];
    await compareInterfaces(before, after);
    assert.deepEqual([before, after], [last, last]);
  });

  test('finds nothing where only texts changed', async () => {
    assert.equal(await levelOf(() => {}), 'none');
    const reword = ({ paths }: Document) => (paths['/donations']!['get']!.description = 'Other.');
    assert.equal(await levelOf(reword), 'none');
    const comment = declared('connect', /\blist: \(/, '/** Other. */ list: (');
    assert.equal(await levelOf(comment), 'none');
  });

  const breaking: Record<string, Parameters<typeof levelOf>[0]> = {
    'a removed operation': ({ paths }) => delete paths['/donations']!['get'],
    'a removed field of a response': planted('Donation', (schema) => {
      delete schema.properties['reference'];
      schema.required = schema.required!.filter((name) => name !== 'reference');
    }),
    'another type of a field of a response': planted('Payout', ({ properties }) => {
      properties['amount_cents']!.type = 'string';
    }),
    'a field of a response that may be missing': planted('Payout', ({ required }) => {
      required!.shift();
    }),
    'a new required field of a request': planted('CreateEmbedSession', (schema) => {
      schema.properties['reason'] = { type: 'string' };
      schema.required = [...(schema.required ?? []), 'reason'];
    }),
    'a value that a request may no longer have': planted('CreatePaymentIntent', (schema) => {
      schema.properties['frequency']!.enum!.pop();
    }),
    'a removed filter': ({ paths }) => paths['/donations']!['get']!.parameters.splice(0, 1),
    'a removed attribute of an element': (_, manifest) => {
      const [element] = elementsOf(manifest);
      element!.attributes!.shift();
    },
    'a renamed method of the client': declared('connect', /\blist: \(/, 'all: ('),
    'a parameter that a method of the client requires': declared(
      'connect',
      /get: \(id: string, /,
      'get: (id: string, reason: string, ',
    ),
    'a removed field of what the client returns': declared('connect', /reference: string;/, ''),
    'a required option of the client': declared('connect', /maxRetries\?:/, 'maxRetries:'),
    'a type that the client no longer exports': declared('index', / Donor,/, ''),
    'a renamed function of the webhooks': declared('webhooks', /(function|const) \w+/, '$1 other'),
  };
  for (const [change, plant] of Object.entries(breaking)) {
    test(`takes ${change} for breaking`, async () => {
      assert.equal(await levelOf(plant), 'breaking');
    });
  }

  const features: Record<string, Parameters<typeof levelOf>[0]> = {
    'a new operation': ({ paths }) => (paths['/gifts'] = structuredClone(paths['/donations']!)),
    'a new optional field of a request': planted('CreateEmbedSession', ({ properties }) => {
      properties['reason'] = { type: 'string' };
    }),
    'a new field of a response': planted('Donation', ({ properties, required }) => {
      properties['reason'] = { type: 'string' };
      required!.push('reason');
    }),
    'a new attribute of an element': (_, manifest) => {
      const [element] = elementsOf(manifest);
      element!.attributes!.push({ name: 'brand-new', type: { text: 'string' } });
    },
    'a new method of the client': declared(
      'connect',
      /\blist: \(/,
      'count: () => Promise<number>; list: (',
    ),
    'a new field of what the client returns': declared(
      'connect',
      /reference: string;/,
      'reference: string; reason: string;',
    ),
  };
  for (const [change, plant] of Object.entries(features)) {
    test(`takes ${change} for a feature`, async () => {
      assert.equal(await levelOf(plant), 'feature');
    });
  }
});
