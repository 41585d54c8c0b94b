/** `remove-data-folder.ts <data folder>` removes a data folder. `npm run reset` runs it. */
import { removeEmbedded } from './remove-embedded.ts';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Pass the data folder as an argument.');
await removeEmbedded(folder).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
