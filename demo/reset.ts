/** `npm run reset` removes all data of `npm start`, and with `--empty` those of `npm start -- --empty`. */
import { resetData } from './launcher/reset-data.ts';

const HELP = `npm run reset: delete .data with all data of \`npm start\`, or the folder that DATA_DIR names.
npm run reset -- --empty: delete .data-empty with all data of \`npm start -- --empty\`.`;

const has = (option: string) => process.argv.includes(option);

if (has('--help') || has('-h')) console.log(HELP);
else process.exitCode = resetData({ isEmpty: has('--empty') });
