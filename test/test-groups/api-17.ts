import { listFilesOfGroup, runTestFiles } from '../support/test-groups.ts';

await runTestFiles(listFilesOfGroup(import.meta.filename));
