import { toPublicForm, type EmbedForm } from '@connect-embed/contract';
import type { ResolvedConfig } from './connect-config.ts';
import type { FormSessions } from './form-sessions.ts';
import { prepareSharedBody, type SharedBody } from './shared-body.ts';

/**
 * The data of forms, which all visitors share.
 *
 * It is compressed once for each session of a form with the API, as well as possible, so that a page view
 * costs no compression. docs/decisions/0118-forms-from-caches.md
 */
export class PublicForms {
  readonly #sessions: FormSessions;
  readonly #compress: ResolvedConfig['compressShared'];
  readonly #forms = new WeakMap<EmbedForm, Promise<SharedBody>>();

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
}
