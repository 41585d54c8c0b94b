import { importTool } from './tools.ts';

type Path = readonly (string | number)[];

interface Difference {
  type: 'breaking' | 'non-breaking' | 'annotation' | 'deprecated' | 'unclassified';
  action: 'add' | 'remove' | 'replace' | 'rename';
  path: Path;
}

type Compare = (before: unknown, after: unknown) => { diffs: Difference[] };

/**
 * Compares two OpenAPI documents by their operations. Below `components` a schema belongs to no
 * request or response, so that nobody can say who is broken by its change; the operations that use it
 * have the change too.
 */
export async function compareDocuments(before: unknown, after: unknown) {
  const { apiCompare } = await importTool('api-smart-diff/dist/index.mjs');
  const { diffs } = (apiCompare as Compare)(before, after);
  const changes = diffs.filter(({ path }) => path[0] === 'paths');
  const describe = (selected: Difference[]) => [
    ...new Set(selected.map(({ action, path }) => `API: ${action} ${path.slice(1).join(' › ')}`)),
  ];
  return {
    breaking: describe(changes.filter(isBreaking)),
    features: describe(
      changes.filter((change) => change.type === 'non-breaking' && !isBreaking(change)),
    ),
  };
}

/** The library takes another type of a response's field for compatible. */
const isBreaking = ({ type, action, path }: Difference) =>
  type === 'breaking' || (action === 'replace' && path.at(-1) === 'type' && type !== 'annotation');
