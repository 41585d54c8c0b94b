import {
  completeTerms,
  ConnectError,
  DONATION_BOUNDS_CENTS,
  type DonationTerms,
} from '@connect-embed/contract';
import { html } from 'hono/html';
import { findForm, saveDraft, type FormRow } from '../../../resources/forms/edit-form.ts';
import type { Deps } from '../../deps.ts';
import { createPreviewPath } from '../../hosted-form/preview.ts';
import type { Html } from '../../../lib/html.ts';
import { messagePage } from '../../layout.ts';
import type { DashboardContext } from '../env.ts';
import type { Choice } from '../field-view.ts';
import { readFields } from '../fields.ts';
import { readInput } from '../pages/form.ts';
import { formPage } from '../pages/form-page.ts';
import {
  checkEditorInput,
  editorFields,
  editorInputOf,
  termsOf,
  type EditorInput,
  type TargetChoices,
} from './form-fields.ts';
import { formPath, formRef, loadForm } from './form-in-path.ts';
import { pageOf } from './page-fields.ts';
import { previewFrame, previewControls } from './preview-view.ts';
import { loadTargetChoices } from './target-choices.ts';
import { allowScript, FORMS_SCRIPT_PATH } from './script.ts';

/** The form to edit, with the funds and campaigns that it can have. */
interface EditedForm extends TargetChoices {
  row: FormRow;
  currency: string;
}

/** The form editor: the settings of the draft beside a preview. */
export const editorPage = (deps: Deps) =>
  formPage<EditedForm, EditorInput>({
    load: async (c) => {
      const row = await loadForm(c, deps);
      const { funds, campaigns } = await loadTargetChoices(deps.db, row.organization_id);
      const { currency } = c.var.organization;
      return { row, currency, campaigns, funds: selectedFirst(funds, row) };
    },
    title: ({ row }) => row.name,
    backLink: (_, c) => ({ href: formPath(c), text: 'Form' }),
    action: (_, c) => formPath(c, '/edit'),
    fields: (choices, c) => editorFields(c.var.organization, choices),
    values: ({ row }) => editorInputOf(row),
    submitLabel: 'Save draft',
    check: (input, form, { currency }) => checkEditorInput(input, form, { currency }),
    save: async (input, { row }, c) => {
      const { name, slug, draft_revision } = input;
      const terms = termsOf(input, row.draft.terms);
      const draft = { name, slug: slug ?? '', terms, page: pageOf(input) };
      await saveDraft(deps.db, formRef(c), draft, draft_revision);
      return { path: formPath(c), success: 'Draft saved. Publish it to show it on pages.' };
    },
    content: (form, { row }, c) => editorView(c, deps, form, row),
  });

/** Sorts the funds that donors choose from to the front, in the order in which they see them. */
function selectedFirst(funds: readonly Choice[], { draft }: FormRow): Choice[] {
  const ids = draft.terms.fund_choices.map(({ id }) => id);
  const selected = ids.flatMap((id) => funds.filter(({ value }) => value === id));
  return [...selected, ...funds.filter(({ value }) => !ids.includes(value))];
}

async function editorView(c: DashboardContext, deps: Deps, form: Html, { draft }: FormRow) {
  allowScript(c, deps);
  const preview = await createPreviewPath(deps, {
    organization_id: c.var.organization.organizationId,
    terms: draft.terms,
    theme: 'light',
    language: 'en',
  });
  return html`<script type="module" src="${FORMS_SCRIPT_PATH}"></script>
    <div class="editor">
      ${form}
      <section class="preview" aria-labelledby="preview-title">
        <h2 id="preview-title">Preview</h2>
        ${previewControls(formPath(c, '/preview'))} ${previewFrame(preview)}
      </section>
    </div>`;
}

/** Opens a preview of the submitted settings, which are not saved. */
export async function previewDraft(c: DashboardContext, deps: Deps) {
  const row = await findForm(deps.db, formRef(c));
  const { organizationId } = c.var.organization;
  const { funds, campaigns } = await loadTargetChoices(deps.db, organizationId);
  const choices = { campaigns, funds: selectedFirst(funds, row) };
  const fields = await readFields(c);
  const input = readInput(editorFields(c.var.organization, choices), fields);
  checkEditorInput(input, fields, c.var.organization);
  const terms = fields.hasErrors ? undefined : completeOrUndefined(input, row, choices);
  if (!terms) {
    const text = 'Some settings are not valid. Save the draft to see which.';
    // The message is shown in the frame of the preview.
    const policy = "default-src 'none'; style-src 'self'; img-src data:; frame-ancestors 'self'";
    c.header('Content-Security-Policy', policy);
    return c.html(messagePage('No preview', text), 400, { 'X-Frame-Options': 'SAMEORIGIN' });
  }
  const path = await createPreviewPath(deps, {
    organization_id: organizationId,
    terms,
    theme: fields.value('preview_theme') === 'dark' ? 'dark' : 'light',
    language: fields.value('preview_language') || 'en',
  });
  return c.redirect(path, 303);
}

/** Completes the entered terms; undefined if they contradict each other. */
function completeOrUndefined(
  input: EditorInput,
  { draft }: FormRow,
  { funds }: TargetChoices,
): DonationTerms | undefined {
  const fundChoices = funds.map(({ value, text }) => ({ id: value, name: text }));
  try {
    return completeTerms(termsOf(input, draft.terms), DONATION_BOUNDS_CENTS, fundChoices);
  } catch (error) {
    if (error instanceof ConnectError && error.type === 'invalid_request') return undefined;
    throw error;
  }
}
