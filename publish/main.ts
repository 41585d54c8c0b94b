/** `npm run build:packages` writes what goes to the registry to `dist/packages`. */
import { buildPackages, OUT } from './packages.ts';

await buildPackages();
console.log(`Packages and their tarballs: ${OUT}`);
