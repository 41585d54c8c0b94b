import { html } from 'hono/html';

/**
 * Input for a six-digit code from an authenticator app. Phones show a number pad, and password
 * managers can fill in the code.
 */
export const authenticatorCodeField = (hint: string, hasProblem = false) =>
  html`<div class="field">
    <label for="code">Code</label>
    <input
      id="code"
      name="code"
      class="code"
      inputmode="numeric"
      autocomplete="one-time-code"
      required
      maxlength="12"
      autofocus
      aria-describedby="code-hint${hasProblem ? ' problem' : ''}"
    />
    <span id="code-hint" class="small muted">${hint}</span>
  </div>`;

/**
 * Input for an authenticator code or a backup code. Phones show the whole keyboard, because backup
 * codes contain letters.
 */
export const anyCodeField = (hint: string, hasProblem = false) =>
  html`<div class="field">
    <label for="code">Code</label>
    <input
      id="code"
      name="code"
      class="code"
      autocomplete="one-time-code"
      autocapitalize="none"
      spellcheck="false"
      required
      maxlength="24"
      aria-describedby="code-hint${hasProblem ? ' problem' : ''}"
    />
    <span id="code-hint" class="small muted">${hint}</span>
  </div>`;
