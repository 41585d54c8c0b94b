import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Package } from 'custom-elements-manifest/schema.d.ts';
import { elementsOf } from '../manifest.ts';
import { describeInterface } from './baseline.ts';
import { compareInterfaces } from './compare.ts';
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
async function levelOf(plant: (document: Document, manifest: Package) => void) {
  const next = structuredClone(last);
  plant(next.document as Document, next.manifest as Package);
  return (await compareInterfaces(last, next)).level;
}
const planted =
  (name: string, change: (schema: Schema) => void) =>
  ({ components }: Document) =>
    change(components.schemas[name]!);

describe('the comparison with the last release', () => {
  before(() => installReleaseTools());

  test('changes neither of the two, of which one becomes the baseline', async () => {
    const [before, after] = [structuredClone(last), structuredClone(last)];
    await compareInterfaces(before, after);
    assert.deepEqual([before, after], [last, last]);
  });

  test('finds nothing where only texts changed', async () => {
    assert.equal(await levelOf(() => {}), 'none');
    const reword = ({ paths }: Document) => (paths['/donations']!['get']!.description = 'Other.');
    assert.equal(await levelOf(reword), 'none');
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
  };
  for (const [change, plant] of Object.entries(features)) {
    test(`takes ${change} for a feature`, async () => {
      assert.equal(await levelOf(plant), 'feature');
    });
  }
});
