import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Html } from '../../../lib/html.ts';
import type { DashboardEnv, FlashMessage, Link } from '../env.ts';
import { formErrorFlash } from '../field-view.ts';
import { readFields, type FormFields, type FormState } from '../fields.ts';
import type { FieldsOf } from './field-types.ts';
import { fieldsView, readInput, savedForm } from './form.ts';
import { renderPage } from './render-page.ts';

/** Describes a page with a form, which creates or changes a record. */
export interface FormPage<Subject, Input> {
  /**
   * Loads what the page needs: the record that the form changes, or the choices of its fields.
   *
   * @throws {ConnectError} `not_found`
   */
  load: (c: Context<DashboardEnv>) => Promise<Subject>;
  title: (subject: Subject) => string;
  /** Link to the parent page. */
  backLink: (subject: Subject, c: Context<DashboardEnv>) => Link;
  /** URL path to which the form is submitted. */
  action: (subject: Subject, c: Context<DashboardEnv>) => string;
  fields: (subject: Subject, c: Context<DashboardEnv>) => FieldsOf<Input>;
  /** Values of the fields before the person changes them. */
  values: (subject: Subject) => Partial<Input>;
  submitLabel: string;
  /** Adds errors that concern several fields. */
  check?: (input: Input, form: FormFields, subject: Subject) => void;
  /**
   * Saves the input.
   *
   * @throws {ConnectError} `invalid_request` and `conflict` errors are shown in the form
   */
  save: (input: Input, subject: Subject, c: Context<DashboardEnv>) => Promise<Saved>;
  /** The content of the page around the form. The default is the form alone. */
  content?: (form: Html, subject: Subject, c: Context<DashboardEnv>) => Html | Promise<Html>;
}

/** Where a person is redirected after a form was saved, and the message there. */
interface Saved {
  path: string;
  success: string;
}

/** Creates the handlers that show the form and that save it. */
export function formPage<Subject, Input>(page: FormPage<Subject, Input>) {
  async function render(
    c: Context<DashboardEnv>,
    subject: Subject,
    draft: FormState,
    rejected?: { flash: FlashMessage; status: 400 },
  ) {
    const form = html`<form
      method="post"
      action="${page.action(subject, c)}"
      class="panel"
      novalidate
    >
      ${fieldsView(page.fields(subject, c), draft)}
      <button>${page.submitLabel}</button>
    </form>`;
    return renderPage(c, {
      title: page.title(subject),
      content: page.content ? await page.content(form, subject, c) : form,
      backLink: page.backLink(subject, c),
      ...rejected,
    });
  }

  async function show(c: Context<DashboardEnv>) {
    const subject = await page.load(c);
    return await render(c, subject, savedForm(page.fields(subject, c), page.values(subject)));
  }

  /** Saves a valid form, and shows an invalid one again with the entered values and the errors. */
  async function submit(c: Context<DashboardEnv>) {
    const subject = await page.load(c);
    const form = await readFields(c);
    const input = readInput(page.fields(subject, c), form);
    page.check?.(input, form, subject);
    const saved = await form.submit(() => page.save(input, subject, c));
    if (saved) {
      const { path, success } = saved.value;
      return await c.var.redirectWithFlash(path, { kind: 'success', text: success });
    }
    return await render(c, subject, form, { flash: formErrorFlash(form), status: 400 });
  }

  return { show, submit };
}
