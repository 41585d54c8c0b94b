import { html } from 'hono/html';
import type { Html } from '@connect-embed/api/lib/html';

interface CopyField {
  id: string;
  label: string;
  hint?: string;
  text: string;
  rows?: number;
}

/** Renders a text to copy. The button appears if the script of the page runs: `forms/browser-script.js`. */
export const copyField = ({ id, label, hint, text, rows = 1 }: CopyField): Html =>
  html`<div class="field">
    <label for="${id}">${label}</label>
    <div class="copy">
      <textarea
        id="${id}"
        readonly
        rows="${rows}"
        spellcheck="false"
        ${hint ? html`aria-describedby="${id}-hint"` : ''}
      >
${text}</textarea>
      <button type="button" class="secondary" data-copy="${id}" hidden>
        Copy<span class="hidden"> ${label}</span>
      </button>
    </div>
    ${hint ? html`<span id="${id}-hint" class="small muted">${hint}</span>` : ''}
  </div>`;
