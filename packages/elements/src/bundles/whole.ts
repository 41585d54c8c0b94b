/**
 * `connect.js?form=meals`: loader, form and the form's session in one answer, so that nothing is
 * asked for between this script and the drawn form: docs/decisions/0069-whole-script.md
 *
 * The build makes one function of it, and `server/routes/script-with-session.ts` calls it with the session.
 */
import '../loader.ts';
import { defineInSteps } from '../internal/define-form.ts';
import { findShare, sessionAddress } from '../internal/page.ts';
import { setScriptHome } from '../internal/script-home.ts';
import { serverAddress } from '../internal/server-address.ts';
import { inTasks } from '../internal/tasks.ts';

/** What the server says: the form's name, and its answer to `POST /embed-sessions` as text. */
declare const OPENED: { form: string; session: string };

function start(script: string) {
  setScriptHome(script);
  // As if the loader had asked for it.
  const key = sessionAddress(serverAddress(null, script), OPENED.form);
  const answer = new Promise<Response>((resolve) => {
    // docs/decisions/0071-every-step-a-task.md
    void inTasks(...defineInSteps, () => resolve(new Response(OPENED.session)));
  });
  findShare()!.started.set(key, answer);
}

const own = [...document.scripts].find(({ src }) => {
  const [, query] = /^[^?#]*\/connect\.js\?([^#]*)/.exec(src) ?? [];
  return new URLSearchParams(query).get('form') === OPENED.form;
});
// Somebody's script may have imported this one: then only a module beside it knows where it came from.
if (own) start(own.src);
else void import('./home.ts').then(({ home }) => start(home));

export * from './lit.ts';
