import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readText, readYaml } from './files.ts';

const ROOT = join(import.meta.dirname, '../..');

interface Workflow {
  on: object;
  permissions: object;
  jobs: Record<string, { 'runs-on': string; 'timeout-minutes': number; steps: Step[] }>;
}
type Step = { uses: string } | { run: string };

const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };

for (const file of globSync('.github/workflows/*.yml', { cwd: ROOT })) {
  test(`${file} runs scripts of the repository, with only the rights that it names`, () => {
    const { on, permissions, jobs } = readYaml<Workflow>(file);
    assert.ok(on && permissions);
    for (const [name, job] of Object.entries(jobs)) {
      assert.ok(job['runs-on'] && job['timeout-minutes'] > 0, name);
      for (const step of job.steps) {
        // A release replaces the tag with the commit that it has then.
        if ('uses' in step) assert.match(step.uses, /^actions\/[a-z-]+@(?:v\d+|[0-9a-f]{40})$/);
        else checkCommand(step.run);
      }
    }
  });
}

function checkCommand(command: string) {
  const [, script] = /^npm (?:run )?(?!ci$)([\w:]+)/.exec(command) ?? [];
  if (script) assert.ok(script in scripts, command);
}
