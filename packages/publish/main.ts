/** `npm run build:packages` writes the npm packages to `dist/packages`. */
import { buildPackages, OUT } from './packages.ts';
import { exitOnHelpOption } from '../../test/support/help-option.ts';

exitOnHelpOption('Builds the npm packages and their tarballs in dist/packages.');

await buildPackages();
console.log(`Packages and their tarballs: ${OUT}`);
