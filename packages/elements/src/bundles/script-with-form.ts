/**
 * Entry of `connect.js?form=meals`: loader, form bundle and the form in one response, which saves the
 * round trip between the script and the drawn form. docs/decisions/0014-element-bundles.md
 *
 * The build wraps this file in a function, and `server/public-forms.ts` appends a call of the function
 * with the form.
 */
import type { PublicForm } from '@connect-embed/contract';
import '../loader.ts';
import { defineForm } from '../form/define-form.ts';
import { findPageState, embedFormUrl } from '../shared/page-state.ts';
import { serverAddress, setScriptUrl } from '../shared/server-address.ts';
import { runAsSeparateTasks } from '../form/tasks.ts';

/** The function's argument: the form's name, and the JSON response of `GET /embed-form` as text. */
declare const FORM: { name: string; response: string };

function startForm(script: string) {
  setScriptUrl(script);
  // Stored under the key that the loader uses for a form that it requests itself.
  const url = embedFormUrl({ server: serverAddress(null, script), name: FORM.name });
  findPageState()!.requests[url] = { form: JSON.parse(FORM.response) as PublicForm };
  // docs/decisions/0067-layout-shift-and-long-tasks.md
  void runAsSeparateTasks(defineForm);
}

const ownScript = [...document.scripts].find(({ src }) => {
  const [, query] = /^[^?#]*\/connect\.js\?([^#]*)/.exec(src) ?? [];
  return new URLSearchParams(query).get('form') === FORM.name;
});
// Without a script tag, another script has imported this file. Then only a module in the same
// folder knows the URL.
if (ownScript) startForm(ownScript.src);
else void import('./script-url.ts').then(({ scriptUrl }) => startForm(scriptUrl));

export * from './base.ts';
