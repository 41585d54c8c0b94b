import {
  completeTerms,
  ConnectError,
  DONATION_BOUNDS_CENTS,
  FormSettings,
} from '@connect-embed/contract';
import { LANGUAGES } from '@connect-embed/locales';
import { html } from 'hono/html';
import { COLOR_SETTINGS } from '@connect-embed/api/lib/form-colors';
import { saveDraft, type FormRow } from '@connect-embed/api/resources/forms/edit-form';
import { saveAndPublish } from '@connect-embed/api/resources/forms/publish-form';
import type { Deps } from '../pages/deps.ts';
import { createPreview } from '@connect-embed/api/resources/forms/form-preview';
import { messagePage } from '@connect-embed/api/http/page-shell';
import type { DashboardContext } from '../pages/env.ts';
import type { Choice } from '../pages/field-view.ts';
import { readFields } from '../pages/fields.ts';
import type { FieldsOf } from '../pages/field-types.ts';
import { readInput, sectionsOf, type Section } from '../pages/form.ts';
import { formPage } from '../pages/form-page.ts';
import { PUBLISHED } from './actions.ts';
import { changeRows } from './amount-rows.ts';
import { colorNote } from './color-note.ts';
import { checkEditorInput } from './check-editor-input.ts';
import { editorBody, sectionIndex } from './editor-view.ts';
import { editorInputOf, settingsOf } from './editor-input.ts';
import { editorFields, type EditorInput, type FundAndCampaignChoices } from './form-fields.ts';
import { formPath, formRef, loadForm } from './form-in-path.ts';
import { CHOOSE_PICTURE } from './page-fields.ts';
import { pictureOf } from './picture.ts';
import { previewFrame, previewControls } from './preview-view.ts';
import { loadFundAndCampaignChoices } from './fund-and-campaign-choices.ts';
import { allowScript, FORMS_SCRIPT_PATH } from '../pages/script.ts';

/** The form to edit, with the funds and campaigns that it can have, and its fields. */
interface EditedForm extends FundAndCampaignChoices {
  row: FormRow;
  currency: string;
  fields: FieldsOf<EditorInput>;
  sections: Section[];
}

/** The form editor: the settings of the draft beside a preview. */
export const editorPage = (deps: Deps) =>
  formPage<EditedForm, EditorInput>({
    load: async (c) => {
      const row = await loadForm(c, deps);
      const { funds, campaigns } = await loadFundAndCampaignChoices(deps.db, row.organization_id);
      const { currency } = c.var.organization;
      const choices = { campaigns, funds: selectedFirst(funds, row) };
      const fields = editorFields(c.var.organization, choices, pictureOf(row));
      return { row, currency, ...choices, fields, sections: sectionsOf(fields) };
    },
    title: ({ row }) => row.name,
    backLink: (_, c) => ({ href: formPath(c), text: 'Form' }),
    action: (_, c) => formPath(c, '/edit'),
    fields: ({ fields }) => fields,
    values: ({ row }) => editorInputOf(row),
    submitLabel: 'Save draft',
    body: (draft, { sections, row }, c) =>
      editorBody(sections, draft, row, { isUnchanged: c.req.method === 'GET' }),
    change: changeRows,
    check: checkEditorInput,
    save: async (input, { row, sections }, c, form) => {
      const { name, slug, draft_revision: revision } = input;
      const saved = { name, slug: slug ?? '', ...settingsOf(input, row.draft) };
      if (form.value('publish') === 'on') {
        const personId = c.var.pageContext.person.id;
        await saveAndPublish(deps.db, formRef(c), saved, { revision, personId });
        return { path: formPath(c), success: PUBLISHED };
      }
      await saveDraft(deps.db, formRef(c), saved, revision);
      if (form.value(CHOOSE_PICTURE) === 'on')
        return { path: formPath(c, '/picture'), success: 'Draft saved.' };
      const section = sections.find(({ id }) => id === form.value('section'));
      const path = formPath(c, section ? `/edit#${section.id}` : '/edit');
      return { path, success: 'Draft saved. Publish it to show it on pages.' };
    },
    content: async (form, { row, sections }, c, draft) => {
      allowScript(c, deps);
      const preview = await createPreview(deps.db, row.organization_id, {
        settings: { ...row.draft, display: 'inline' },
        theme: 'light',
        language: 'en',
      });
      return html`<script type="module" src="${FORMS_SCRIPT_PATH}"></script>
        <div class="editor">
          ${sectionIndex(sections, draft)} ${form}
          <section id="preview" class="preview" aria-labelledby="preview-title">
            <h2 id="preview-title">Preview</h2>
            ${previewFrame(preview, previewControls(formPath(c, '/preview')))}
          </section>
        </div>`;
    },
  });

/** Sorts the funds that donors choose from to the front, in the order in which they see them. */
function selectedFirst(funds: readonly Choice[], { draft }: FormRow): Choice[] {
  const ids = draft.terms.fund_choices.map(({ id }) => id);
  const selected = ids.flatMap((id) => funds.filter(({ value }) => value === id));
  return [...selected, ...funds.filter(({ value }) => !ids.includes(value))];
}

/** Opens a preview of the submitted settings, which are not saved. */
export async function previewDraft(c: DashboardContext, deps: Deps) {
  const row = await loadForm(c, deps);
  const { organizationId } = c.var.organization;
  const { funds, campaigns } = await loadFundAndCampaignChoices(deps.db, organizationId);
  const choices = { campaigns, funds: selectedFirst(funds, row) };
  const fields = await readFields(c);
  const input = readInput(editorFields(c.var.organization, choices), fields);
  checkEditorInput(input, fields, { ...choices, currency: c.var.organization.currency });
  const settings = fields.hasErrors ? undefined : completeOrUndefined(input, row, choices);
  const isScript = c.req.header('accept') === 'application/json';
  const notes = Object.fromEntries(
    COLOR_SETTINGS.map(({ name }) => {
      const problem = fields.problems.get(name);
      const isProblem = problem !== undefined;
      return [name, { text: problem ?? colorNote(fields, name), isProblem }];
    }),
  );
  if (!settings && isScript) return c.json({ path: null, notes });
  if (!settings) {
    const text = 'Some settings are not valid. Save the draft to see which.';
    // The message is shown in the frame of the preview.
    const policy = "default-src 'none'; style-src 'self'; img-src data:; frame-ancestors 'self'";
    c.header('Content-Security-Policy', policy);
    return c.html(messagePage('No preview', text), 400, { 'X-Frame-Options': 'SAMEORIGIN' });
  }
  const display = fields.value('preview_display') === 'page' ? settings.display : 'inline';
  const path = await createPreview(deps.db, organizationId, {
    settings: { ...settings, display },
    theme: fields.value('preview_theme') === 'dark' ? 'dark' : 'light',
    language: LANGUAGES.find((code) => code === fields.value('preview_language')) ?? 'en',
  });
  return isScript ? c.json({ path, notes }) : c.redirect(path, 303);
}

/** Completes the entered settings; undefined if they are invalid or contradict each other. */
function completeOrUndefined(
  input: EditorInput,
  { draft }: FormRow,
  { funds }: FundAndCampaignChoices,
): FormSettings | undefined {
  const fundChoices = funds.map(({ value, text }) => ({ id: value, name: text }));
  try {
    const settings = settingsOf(input, draft);
    const terms = completeTerms(settings.terms, DONATION_BOUNDS_CENTS, fundChoices);
    return FormSettings.safeParse({ ...settings, terms }).data;
  } catch (error) {
    if (error instanceof ConnectError && error.type === 'invalid_request') return undefined;
    throw error;
  }
}
