/** `npm run build:packages` writes the npm packages to `dist/packages`. */
import { buildPackages, OUT } from './packages.ts';
import { exitOnHelpOption } from '../test/support/help-option.ts';

exitOnHelpOption(
  'Writes the packages and their tarballs, as they go to the registry, to dist/packages.',
);

await buildPackages();
console.log(`Packages and their tarballs: ${OUT}`);
