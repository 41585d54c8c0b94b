import { defineFormSteps } from '../form/define-form.ts';
import { setScriptUrl } from '../shared/server-address.ts';
import { runAsSeparateTasks } from '../form/tasks.ts';

setScriptUrl(import.meta.url);
// Evaluating this file and drawing the placeholder must be short tasks:
// docs/decisions/0067-layout-shift-and-long-tasks.md
void runAsSeparateTasks(...defineFormSteps);

export * from './base.ts';
