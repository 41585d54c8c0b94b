import { defineInSteps } from '../internal/define-form.ts';
import { setScriptHome } from '../internal/script-home.ts';
import { inTasks } from '../internal/tasks.ts';

setScriptHome(import.meta.url);
// So that reading this file and drawing the outline are short tasks: docs/decisions/0071-every-step-a-task.md
void inTasks(...defineInSteps);

export * from './lit.ts';
