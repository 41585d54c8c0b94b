import { html } from 'hono/html';
import type { Html } from '@connect-embed/api/lib/html';

/**
 * Input for a six-digit code from an authenticator app. Phones show a number pad, and password
 * managers can fill in the code.
 */
export const authenticatorCodeField = (hint: string, hasProblem = false) =>
  codeField(html`inputmode="numeric" maxlength="12" autofocus`, hint, hasProblem);

/**
 * Input for an authenticator code or a backup code. Phones show the whole keyboard, because backup
 * codes contain letters.
 */
export const anyCodeField = (hint: string, hasProblem = false) =>
  codeField(html`autocapitalize="none" spellcheck="false" maxlength="24"`, hint, hasProblem);

const codeField = (attributes: Html, hint: string, hasProblem: boolean) =>
  html`<div class="field">
    <label for="code">Code</label>
    <input
      id="code"
      name="code"
      class="code"
      autocomplete="one-time-code"
      required
      ${attributes}
      aria-describedby="code-hint${hasProblem ? ' problem' : ''}"
    />
    <span id="code-hint" class="small muted">${hint}</span>
  </div>`;
