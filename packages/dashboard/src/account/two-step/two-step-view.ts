import { html } from 'hono/html';
import { renderSVG } from 'uqr';
import { anyCodeField, authenticatorCodeField } from '../../sign-in/code-field.ts';
import { currentPasswordField } from '../../sign-in/password-field.ts';
import type { Html } from '@connect-embed/api/lib/html';

const PATH = '/dashboard/account/two-step';

const nextField = (next: string) => html`<input type="hidden" name="next" value="${next}" />`;

/**
 * Renders the first step of the setup, which explains two-step sign-in and asks for the password.
 */
export const beginView = (next: string): Html =>
  html`<form method="post" action="${PATH}/begin" class="panel">
    <p>
      With two-step sign-in, you sign in with your password and a code from an authenticator app on
      your phone. Any app that shows six-digit codes works, for example Google Authenticator,
      Microsoft Authenticator, 1Password or Aegis.
    </p>
    ${nextField(next)} ${currentPasswordField}
    <button>Set up</button>
  </form>`;

/**
 * Renders the second step of the setup, which shows the TOTP secret as a QR code and as text, and
 * asks for a code from the app.
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
          On your phone? <a href="${uri}">Open it in your app</a>, or enter this setup key:
        </p>
        <p><code class="setup-key">${groupsOf4(secretIn(uri))}</code></p>
      </li>
      <li>
        ${nextField(next)}
        <input type="hidden" name="setup" value="${setup}" />
        ${authenticatorCodeField('Enter the six-digit code that the app shows.')}
      </li>
    </ol>
    <button>Turn on</button>
  </form>`;

/** Renders new backup codes, which are shown only once. */
export const backupCodesView = (codes: readonly string[], next: string): Html =>
  html`<section class="panel" aria-labelledby="backup-codes">
    <h2 id="backup-codes">Save your backup codes</h2>
    <p>
      If you do not have your phone, sign in with one of these codes instead. Each code works once.
      Store them with your passwords. They will not be shown again.
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
  ${currentPasswordField}
  ${anyCodeField('Enter the six-digit code from your authenticator app, or a backup code.')}
  <p class="buttons">
    <button class="secondary" formaction="${PATH}/backup-codes">Create new backup codes</button>
    <button class="danger" formaction="${PATH}/off">Turn off</button>
  </p>
</form>`;

const qrCode = (text: string) =>
  `data:image/svg+xml,${encodeURIComponent(renderSVG(text, { ecc: 'M', border: 4 }))}`;

const secretIn = (uri: string) => new URL(uri).searchParams.get('secret') ?? '';

const groupsOf4 = (text: string) => text.match(/.{1,4}/g)?.join(' ') ?? text;
