import { defineForm, waitForForm } from '../form/define-form.ts';
import { setScriptUrl } from '../shared/server-address.ts';
import { runAsSeparateTasks } from '../form/tasks.ts';

setScriptUrl(import.meta.url);
// Evaluating this file and drawing the form must be short tasks:
// docs/decisions/0067-layout-shift-and-long-tasks.md
void runAsSeparateTasks(waitForForm, defineForm);

export * from './base.ts';
