/** `npm run reset` removes all data of `npm start`. */
import { resetData } from './launcher/reset-data.ts';

const HELP = 'Deletes DATA_DIR (default: .data) with all data of `npm start`.';

if (process.argv.includes('--help') || process.argv.includes('-h')) console.log(HELP);
else process.exitCode = resetData();
