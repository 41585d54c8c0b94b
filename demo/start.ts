/** `npm start` runs the whole system, each service as a process. `npm run dev` adds `--watch`. */
import { HELP } from './launcher/console-messages.ts';
import { launch } from './launcher/launch.ts';

const has = (option: string) => process.argv.includes(option);

if (has('--help') || has('-h')) console.log(HELP);
else process.exit(await launch({ isEmpty: has('--empty'), isWatching: has('--watch') }));
