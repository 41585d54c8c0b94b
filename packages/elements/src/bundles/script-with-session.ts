/**
 * Entry of `connect.js?form=meals`: loader, form bundle and the form's session in one response,
 * which saves the round trip between the script and the drawn form.
 * docs/decisions/0014-element-bundles.md
 *
 * The build wraps this file in a function, and `server/routes/script-with-session.ts` appends a
 * call of the function with the session.
 */
import '../loader.ts';
import { defineFormSteps } from '../form/define-form.ts';
import { findPageState, embedSessionUrl } from '../shared/page-state.ts';
import { serverAddress, setScriptUrl } from '../shared/server-address.ts';
import { runAsSeparateTasks } from '../form/tasks.ts';

/** The function's argument: the form's name, and the JSON response of `POST /embed-sessions` as text. */
declare const OPENED: { form: string; session: string };

function startForm(script: string) {
  setScriptUrl(script);
  // Stored under the key that the loader uses for a session that it fetches itself.
  const key = embedSessionUrl(serverAddress(null, script), OPENED.form);
  const response = new Promise<Response>((resolve) => {
    // docs/decisions/0067-layout-shift-and-long-tasks.md
    void runAsSeparateTasks(...defineFormSteps, () => resolve(new Response(OPENED.session)));
  });
  findPageState()!.started.set(key, response);
}

const ownScript = [...document.scripts].find(({ src }) => {
  const [, query] = /^[^?#]*\/connect\.js\?([^#]*)/.exec(src) ?? [];
  return new URLSearchParams(query).get('form') === OPENED.form;
});
// Without a script tag, another script has imported this file. Then only a module in the same
// folder knows the URL.
if (ownScript) startForm(ownScript.src);
else void import('./script-url.ts').then(({ scriptUrl }) => startForm(scriptUrl));

export * from './base.ts';
