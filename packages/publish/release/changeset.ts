/** `npm run changeset` describes a change for the next release, in the format of changesets. */
import { spawnSync } from 'node:child_process';
import { exitOnHelpOption } from '../../../test/support/help-option.ts';
import { CHANGESET, installReleaseTools } from './tools.ts';

exitOnHelpOption(
  'Asks for packages and a sentence, and writes them to .changeset for the next release.',
);

installReleaseTools();
process.exitCode = spawnSync(CHANGESET, { stdio: 'inherit' }).status ?? 1;
