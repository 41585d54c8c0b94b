import { html } from 'hono/html';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '@connect-embed/api/users/password-rules';

/**
 * Validates a new password.
 *
 * @returns the error message; undefined if the password is valid
 */
export function checkNewPassword(password: string): string | undefined {
  if (password.length < MIN_PASSWORD_LENGTH) {
    return `Enter a password with at least ${MIN_PASSWORD_LENGTH} characters.`;
  }
  if (password.length > MAX_PASSWORD_LENGTH) {
    return `Enter a password with at most ${MAX_PASSWORD_LENGTH} characters.`;
  }
  return undefined;
}

/** Field for a new password. Password managers can generate one. */
export const newPasswordField = (label: string) =>
  html`<div class="field">
    <label for="new-password">${label}</label>
    <input
      id="new-password"
      name="new_password"
      type="password"
      autocomplete="new-password"
      required
      minlength="${MIN_PASSWORD_LENGTH}"
      maxlength="${MAX_PASSWORD_LENGTH}"
      aria-describedby="new-password-hint"
    />
    <span id="new-password-hint" class="small muted">
      At least ${MIN_PASSWORD_LENGTH} characters. A few words are easier to remember than symbols.
    </span>
  </div>`;

/** Field for an existing password. */
export const passwordField = (label: string, autofocus = false) =>
  html`<div class="field">
    <label for="password">${label}</label>
    <input
      id="password"
      name="password"
      type="password"
      autocomplete="current-password"
      required
      maxlength="${MAX_PASSWORD_LENGTH}"
      ${autofocus ? 'autofocus' : ''}
    />
  </div>`;

/** Field for the password of the signed-in person, which confirms a change. */
export const currentPasswordField = passwordField('Current password');
