import { html } from 'hono/html';
import { renderSVG } from 'uqr';
import { anyCodeField, authenticatorCodeField } from '../../code-field.ts';
import type { Html } from '../../layout.ts';

const PATH = '/dashboard/account/two-step';

const passwordField = html`<div class="field">
  <label for="password">Current password</label>
  <input
    id="password"
    name="password"
    type="password"
    autocomplete="current-password"
    required
    maxlength="128"
  />
</div>`;

const nextField = (next: string) => html`<input type="hidden" name="next" value="${next}" />`;

/** First step of the setup: explains two-step sign-in and asks for the password. */
export const beginView = (next: string): Html =>
  html`<form method="post" action="${PATH}/begin" class="panel">
    <p>
      With two-step sign-in, your password alone does not open your account: a code from an
      authenticator app on your phone is needed as well. Any app works that shows six-digit codes,
      for example Google Authenticator, Microsoft Authenticator, 1Password or Aegis.
    </p>
    ${nextField(next)} ${passwordField}
    <button>Set up</button>
  </form>`;

/**
 * Second step of the setup: shows the TOTP secret as a QR code and as text, and asks for a code
 * from the app.
 */
export const confirmView = ({ uri, setup, next }: { uri: string; setup: string; next: string }) =>
  html`<form method="post" action="${PATH}/confirm" class="panel">
    <ol class="steps">
      <li>
        <p>Scan this code with your authenticator app.</p>
        <img
          class="qr"
          src="${qrCode(uri)}"
          alt="QR code with the setup key below"
          width="208"
          height="208"
        />
        <p class="small">
          On your phone already? <a href="${uri}">Open it in your app</a>, or type this setup key:
        </p>
        <p><code class="setup-key">${groupsOf4(secretIn(uri))}</code></p>
      </li>
      <li>
        ${nextField(next)}
        <input type="hidden" name="setup" value="${setup}" />
        ${authenticatorCodeField('The six digits that the app shows now.')}
      </li>
    </ol>
    <button>Turn on</button>
  </form>`;

/** Backup codes, which are shown only once. */
export const backupCodesView = (codes: readonly string[], next: string): Html =>
  html`<section class="panel" aria-labelledby="backup-codes">
    <h2 id="backup-codes">Save your backup codes</h2>
    <p>
      Without your phone, enter one of these codes in place of the app’s. Each works once. Keep them
      where you keep your passwords: they cannot be shown again.
    </p>
    <ul class="backup-codes">
      ${codes.map((code) => html`<li><code>${code}</code></li>`)}
    </ul>
    <p><a class="button" href="${next}">I have saved them</a></p>
  </section>`;

/**
 * Page for a person who has turned two-step sign-in on. Both actions require the password and a
 * code.
 */
export const changeView = html`<form method="post" class="panel">
  <p><strong>Two-step sign-in is on.</strong> To change it, enter your password and a code.</p>
  ${passwordField} ${anyCodeField('The six digits in your authenticator app, or a backup code.')}
  <p class="buttons">
    <button class="second" formaction="${PATH}/backup-codes">Make new backup codes</button>
    <button class="danger" formaction="${PATH}/off">Turn off</button>
  </p>
</form>`;

const qrCode = (text: string) =>
  `data:image/svg+xml,${encodeURIComponent(renderSVG(text, { ecc: 'M', border: 4 }))}`;

const secretIn = (uri: string) => new URL(uri).searchParams.get('secret') ?? '';

const groupsOf4 = (text: string) => text.match(/.{1,4}/g)?.join(' ') ?? text;
