import { toPublicForm, type EmbedForm, type PublicForm } from '@connect-embed/contract';
import type { ResolvedConfig } from './connect-config.ts';
import type { FormSessions } from './form-sessions.ts';
import type { Script } from './script-source.ts';
import { prepareSharedBody, type SharedBody } from './shared-body.ts';

/**
 * What all visitors of a form share: the form itself, and the script with the form in it.
 *
 * Each is compressed once, as well as possible, and kept as long as the API's session with this form: a
 * page view costs no compression. docs/decisions/0118-forms-from-caches.md
 */
export class PublicForms {
  readonly #sessions: FormSessions;
  readonly #compress: ResolvedConfig['compressShared'];
  readonly #forms = new WeakMap<EmbedForm, Promise<SharedBody>>();
  /** By form and script. */
  readonly #scripts = new WeakMap<EmbedForm, WeakMap<Script, Promise<SharedBody>>>();

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
    return await body;
  }

  /**
   * Returns a script followed by a call with the form.
   *
   * @param script a function expression: `wholeScript` in vite.config.ts
   * @throws {ConnectError} the errors of `sessions.get`
   */
  async getScript(name: string, script: Script): Promise<SharedBody> {
    const { form } = await this.#sessions.get(name);
    const scripts = this.#scripts.get(form) ?? new WeakMap<Script, Promise<SharedBody>>();
    this.#scripts.set(form, scripts);
    const known = scripts.get(script);
    if (known) return await known;
    const code = new TextDecoder().decode(script.body) + renderCall(name, toPublicForm(form));
    const body = prepareSharedBody(code, script.type, this.#compress);
    scripts.set(script, body);
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
