import { html } from 'hono/html';
import type { Html } from '@connect-embed/api/lib/html';
import type { DashboardContext, FlashMessage, Link } from './env.ts';
import { readFields, type FormFields, type FormState } from './fields.ts';
import type { FieldsOf } from './field-types.ts';
import { fieldsView, problemLinks, readInput, savedForm } from './form.ts';
import { renderPage } from './render-page.ts';

/** Id of the form of the page, with which buttons elsewhere on the page submit it. */
export const PAGE_FORM_ID = 'page-form';

/** Describes a page with a form, which creates or changes a record. */
interface FormPage<Subject, Input> {
  /**
   * Loads what the page needs: the record that the form changes, or the choices of its fields.
   *
   * @throws {ConnectError} `not_found`
   */
  load: (c: DashboardContext) => Promise<Subject>;
  title: (subject: Subject) => string;
  /** Link to the parent page. */
  backLink?: (subject: Subject, c: DashboardContext) => Link;
  /** URL path to which the form is submitted. */
  action: (subject: Subject, c: DashboardContext) => string;
  fields: (subject: Subject, c: DashboardContext) => FieldsOf<Input>;
  /** Values of the fields before the person changes them. */
  values: (subject: Subject) => Partial<Input>;
  submitLabel: string;
  /** What the form contains. The default is a panel with all fields and one button. */
  body?: (draft: FormState, subject: Subject, c: DashboardContext) => Html;
  hasFile?: true;
  /**
   * Changes the form instead of saving it, for buttons that add or remove a row. Returns false if the
   * form is to be saved.
   */
  change?: (form: FormFields) => boolean;
  /** Adds errors that concern several fields. */
  check?: (input: Input, form: FormFields, subject: Subject) => void;
  /**
   * Saves the input.
   *
   * @throws {ConnectError} `invalid_request` and `conflict` errors are shown in the form
   */
  save: (input: Input, subject: Subject, c: DashboardContext, form: FormFields) => Promise<Saved>;
  /** The content of the page around the form. The default is the form alone. */
  content?: (
    form: Html,
    subject: Subject,
    c: DashboardContext,
    draft: FormState,
  ) => Html | Promise<Html>;
}

/** Where a person is redirected after a form was saved, and the message there. */
interface Saved extends Pick<FlashMessage, 'secret'> {
  path: string;
  success: string;
}

/** Creates the handlers that show the form and that save it. */
export function formPage<Subject, Input>(page: FormPage<Subject, Input>) {
  async function show(c: DashboardContext) {
    const subject = await page.load(c);
    const draft = savedForm(page.fields(subject, c), page.values(subject));
    return await renderForm(c, page, subject, draft);
  }

  /** Saves a valid form, and shows an invalid one again with the entered values and the errors. */
  async function submit(c: DashboardContext) {
    const subject = await page.load(c);
    const form = await readFields(c);
    if (page.change?.(form)) return await renderForm(c, page, subject, form);
    const input = readInput(page.fields(subject, c), form);
    page.check?.(input, form, subject);
    const saved = await form.submit(() => page.save(input, subject, c, form));
    if (!saved) return await renderForm(c, page, subject, form);
    const { path, success, ...secret } = saved.value;
    return await c.var.redirectWithFlash(path, { kind: 'success', text: success, ...secret });
  }

  return { show, submit };
}

/** The Enter key presses the first button of a form: this one saves it, and the first visible one may not. */
const DEFAULT_BUTTON = html`<button class="hidden" tabindex="-1" aria-hidden="true">Save</button>`;

async function renderForm<Subject, Input>(
  c: DashboardContext,
  page: FormPage<Subject, Input>,
  subject: Subject,
  draft: FormState,
) {
  const fields = page.fields(subject, c);
  const { rejection: text } = draft;
  const body =
    page.body?.(draft, subject, c) ??
    html`${fieldsView(fields, draft)}<button>${page.submitLabel}</button>`;
  const form = html`<form
    id="${PAGE_FORM_ID}"
    method="post"
    action="${page.action(subject, c)}"
    class="${page.body ? '' : 'panel'}"
    ${page.hasFile ? html`enctype="multipart/form-data"` : ''}
    novalidate
  >
    ${page.change ? DEFAULT_BUTTON : ''} ${body}
  </form>`;
  return renderPage(c, {
    title: page.title(subject),
    content: page.content ? await page.content(form, subject, c, draft) : form,
    ...(page.backLink && { backLink: page.backLink(subject, c) }),
    ...(text && {
      flash: { kind: 'problem', text, links: problemLinks(fields, draft) },
      status: 400,
    }),
  });
}
