import { LANGUAGES } from '@connect-embed/locales';
import { html } from 'hono/html';
import type { Html } from '@connect-embed/api/lib/html';
import { PAGE_FORM_ID } from '../pages/form-page.ts';

/** Widths of the preview. `packages/api/src/http/page-shell.css` contains their sizes. */
const WIDTHS = [
  ['phone', 'Phone'],
  ['tablet', 'Tablet'],
  ['desktop', 'Desktop'],
] as const;

/** Name of the preview's frame, in which a submitted form opens. */
const FRAME = 'form-preview';

/** Renders the frame of a preview, with the choice of its width and other controls. */
export const previewFrame = (path: string, controls: Html | '' = ''): Html =>
  html`<fieldset class="widths">
      <legend class="hidden">Width of the preview</legend>
      ${WIDTHS.map(
        ([value, text], index) =>
          html`<label>
            <input
              type="radio"
              name="preview_width"
              value="${value}"
              ${index === 0 ? 'checked' : ''}
            />
            <span>${text}</span>
          </label>`,
      )}
    </fieldset>
    ${controls}
    <div class="frame">
      <iframe name="${FRAME}" src="${path}" title="Preview of the form"></iframe>
    </div>
    <p class="small muted">No donation is made here.</p>`;

/**
 * Renders the controls that update the preview from the unsaved settings. They submit the form of the
 * page into the frame; the page's script does so after each change.
 */
export const previewControls = (action: string): Html =>
  html`<div class="preview-controls">
    <label>
      <span class="small">Show</span>
      <select name="preview_display" form="${PAGE_FORM_ID}">
        <option value="inline">The form</option>
        <option value="page">As on your website</option>
      </select>
    </label>
    <label>
      <span class="small">Theme</span>
      <select name="preview_theme" form="${PAGE_FORM_ID}">
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
    <label>
      <span class="small">Language</span>
      <select name="preview_language" form="${PAGE_FORM_ID}">
        ${languages().map(
          ([code, name]) =>
            html`<option value="${code}" ${code === 'en' ? 'selected' : ''}>${name}</option>`,
        )}
      </select>
    </label>
    <button
      class="secondary"
      form="${PAGE_FORM_ID}"
      formaction="${action}"
      formtarget="${FRAME}"
      data-preview="${FRAME}"
    >
      Update preview
    </button>
    <p class="small" role="status" data-preview-status></p>
  </div>`;

/** Codes and own names of the form's languages. */
const languages = () =>
  LANGUAGES.map((code) => {
    const name = new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code;
    return [code, name.charAt(0).toLocaleUpperCase(code) + name.slice(1)] as const;
  });
