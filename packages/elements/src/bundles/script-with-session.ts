/**
 * `connect.js?form=meals`: loader, form and the form's session in one answer, so that nothing is
 * asked for between this script and the drawn form: docs/decisions/0069-whole-script.md
 *
 * The build makes one function of it, and `server/routes/script-with-session.ts` calls it with the session.
 */
import '../loader.ts';
import { defineFormSteps } from '../internal/define-form.ts';
import { findPageState, embedSessionUrl } from '../internal/page-state.ts';
import { setScriptUrl } from '../internal/resolve-server.ts';
import { serverAddress } from '../internal/server-address.ts';
import { runAsSeparateTasks } from '../internal/tasks.ts';

/** What the server says: the form's name, and its answer to `POST /embed-sessions` as text. */
declare const OPENED: { form: string; session: string };

function startForm(script: string) {
  setScriptUrl(script);
  // As if the loader had asked for it.
  const key = embedSessionUrl(serverAddress(null, script), OPENED.form);
  const response = new Promise<Response>((resolve) => {
    // docs/decisions/0071-every-step-a-task.md
    void runAsSeparateTasks(...defineFormSteps, () => resolve(new Response(OPENED.session)));
  });
  findPageState()!.started.set(key, response);
}

const ownScript = [...document.scripts].find(({ src }) => {
  const [, query] = /^[^?#]*\/connect\.js\?([^#]*)/.exec(src) ?? [];
  return new URLSearchParams(query).get('form') === OPENED.form;
});
// Somebody's script may have imported this one: then only a module beside it knows where it came from.
if (ownScript) startForm(ownScript.src);
else void import('./script-url.ts').then(({ scriptUrl }) => startForm(scriptUrl));

export * from './lit.ts';
