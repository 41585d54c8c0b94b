import { defineFormSteps } from '../internal/define-form.ts';
import { setScriptUrl } from '../internal/resolve-server.ts';
import { runAsSeparateTasks } from '../internal/tasks.ts';

setScriptUrl(import.meta.url);
// Evaluating this file and drawing the placeholder must be short tasks:
// docs/decisions/0067-layout-shift-and-long-tasks.md
void runAsSeparateTasks(...defineFormSteps);

export * from './lit.ts';
