/** `npm run manifest`: `custom-elements.json`, and the React components that are made from it. */
import { writeFileSync } from 'node:fs';
import { makeManifest, MANIFEST } from './manifest.ts';
import { writeReactComponents } from './react-components.ts';
import { endWithHelp } from '../test/support/help.ts';

endWithHelp("Writes the elements' custom-elements.json, and the React components made from it.");

const manifest = await makeManifest();
writeFileSync(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`);
await writeReactComponents(manifest);
