import { toPublicForm, type EmbedForm, type PublicForm } from '@connect-embed/contract';
import type { ResolvedConfig } from './connect-config.ts';
import type { FormSessions } from './form-sessions.ts';
import type { Script } from './script-source.ts';
import { prepareSharedBody, type SharedBody } from './shared-body.ts';

/** How many scripts with a form are kept, of about 60 kB with their compressed versions. */
const MAX_SCRIPTS = 1000;

/**
 * What all visitors of a form share: the form itself, and the script with the form in it.
 *
 * Each is compressed once for each session of the form with the API, as well as possible, so that a page
 * view costs no compression. docs/decisions/0118-forms-from-caches.md
 */
export class PublicForms {
  readonly #sessions: FormSessions;
  readonly #compress: ResolvedConfig['compressShared'];
  readonly #forms = new WeakMap<EmbedForm, Promise<SharedBody>>();
  /** By hash of the script and name of the form. */
  readonly #scripts = new Map<string, { form: EmbedForm; body: Promise<SharedBody> }>();
  #isPreparingScript = false;

  constructor({ compressShared }: ResolvedConfig, sessions: FormSessions) {
    this.#sessions = sessions;
    this.#compress = compressShared;
  }

  /**
   * Returns the form as JSON.
   *
   * @throws {ConnectError} the errors of `sessions.get`
   */
  async get(name: string): Promise<SharedBody> {
    const { form } = await this.#sessions.get(name);
    const known = this.#forms.get(form);
    if (known) return await known;
    const text = JSON.stringify(toPublicForm(form));
    const body = prepareSharedBody(text, 'application/json', this.#compress);
    this.#forms.set(form, body);
    body.catch(() => this.#forms.delete(form)); // The next request tries again.
    return await body;
  }

  /**
   * Returns a script followed by a call with the form.
   *
   * @param script a function expression: `scriptWithForm` in vite.config.ts
   * @returns undefined while the script of another form is being compressed: one at a time, because it
   *   takes 90 ms, and on a platform with many forms other requests would wait
   * @throws {ConnectError} the errors of `sessions.get`
   */
  async getScript(name: string, script: Script): Promise<SharedBody | undefined> {
    const { form } = await this.#sessions.get(name);
    const key = `${script.hash} ${name}`;
    const known = this.#scripts.get(key);
    if (known?.form === form) return await known.body;
    if (this.#isPreparingScript) return undefined;
    this.#isPreparingScript = true;
    const code = new TextDecoder().decode(script.body) + renderCall(name, toPublicForm(form));
    const body = prepareSharedBody(code, script.type, this.#compress);
    if (this.#scripts.size >= MAX_SCRIPTS) this.#scripts.delete(this.#scripts.keys().next().value!);
    this.#scripts.set(key, { form, body });
    body.catch(() => this.#scripts.delete(key)).finally(() => (this.#isPreparingScript = false));
    return await body;
  }
}

/** The response of `GET /embed-form` is JSON inside a string of the argument, which is JSON, too. */
const renderCall = (name: string, form: PublicForm) =>
  `(${escapeForScript(JSON.stringify({ name, response: JSON.stringify(form) }))});\n`;

/** Escapes JSON for a script, also one inside an HTML page. */
const escapeForScript = (json: string) =>
  json.replace(
    /[<\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
