import { MODULE_LAYERS } from './module-layers.ts';

/** The modules of a source folder as a Markdown table, highest layer first, as a reader enters it. */
export function moduleLayersMarkdown(folder: string): string {
  const rows = Object.entries(MODULE_LAYERS[folder]!).map(
    ([name, contents]) => `| [\`${name}\`](src/${name}) | ${contents} |`,
  );
  return ['| Module | Contents |', '|-|-|', ...rows.toReversed()].join('\n');
}
