import type { FormRow } from '@connect-embed/api/resources/forms/edit-form';
import type { Html } from '@connect-embed/api/lib/html';
import { html } from 'hono/html';
import type { FormState } from '../pages/fields.ts';
import { fieldsView, problemLinks, type Section } from '../pages/form.ts';
import { badge } from '../pages/table.ts';

/**
 * Renders the sections of the editor, and the bar that saves them.
 *
 * @param isUnchanged true if the values are those with which the form was opened
 */
export const editorBody = (
  sections: Section[],
  draft: FormState,
  row: FormRow,
  { isUnchanged }: { isUnchanged: boolean },
): Html =>
  html`<div class="sections">
      ${sections.map(
        (section) =>
          html`<section id="${section.id}" class="panel">
            ${fieldsView(section.fields, draft)}
          </section>`,
      )}
    </div>
    ${saveBar(isUnchanged, row)}`;

/** Renders the links to the sections, with the number of errors in each. */
export const sectionIndex = (sections: Section[], draft: FormState): Html =>
  html`<details class="index" data-index>
    <summary>Sections</summary>
    <nav aria-label="Sections">
      <ul class="pills">
        ${sections.map(({ id, heading, fields }) => {
          const { length } = problemLinks(fields, draft);
          const errors = length === 1 ? '1 error' : `${length} errors`;
          return html`<li>
            <a href="#${id}"
              >${heading} ${length > 0 ? html`<span class="small wrong">${errors}</span>` : ''}</a
            >
          </li>`;
        })}
        <li class="to-preview"><a href="#preview">Preview</a></li>
      </ul>
    </nav>
  </details>`;

/**
 * Renders the buttons that save the form, after whether it has unsaved changes. Only the page's script knows
 * what was typed since the page was opened, so it shows and updates this text. It also gives “Save draft” the
 * section that is read, to which the member returns.
 */
function saveBar(
  isUnchanged: boolean,
  { status, has_unpublished_changes: isChanged }: FormRow,
): Html {
  const published = status === 'live' ? badge('Published', 'positive') : badge('Closed', 'neutral');
  const saved = isChanged ? badge('Draft saved', 'neutral') : published;
  const unsaved = badge('Unsaved changes', 'pending');
  return html`<div class="save-bar">
    <p role="status" ${isUnchanged ? 'data-save-state hidden' : ''}>
      ${isUnchanged ? html`<span>${saved}</span><span hidden>${unsaved}</span>` : unsaved}
    </p>
    <button class="secondary" name="section">Save draft</button>
    <button name="publish" value="on">
      ${status === 'closed' ? 'Publish and open form' : 'Publish'}
    </button>
  </div>`;
}
