/**
 * `npm run manifest` writes `custom-elements.json` and the React components that are generated from
 * it.
 */
import { writeFileSync } from 'node:fs';
import { analyzeManifest, MANIFEST } from './manifest.ts';
import { writeReactComponents } from './react-components.ts';
import { exitOnHelpOption } from '../../test/support/help-option.ts';

exitOnHelpOption(
  "Writes the elements' custom-elements.json, and generates the React components from it.",
);

const manifest = analyzeManifest();
writeFileSync(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`);
await writeReactComponents(manifest);
