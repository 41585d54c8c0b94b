import { html } from 'hono/html';
import type { Html } from '@connect-embed/api/lib/html';

/** Content of the confirmation of an action that has serious consequences. */
interface Confirmation {
  /** The consequences of the action, in full sentences. */
  text: Html | string;
  /** URL of the form. The default is the URL of the page itself. */
  action?: string;
  /** Label of the button, for example `Delete the endpoint`. */
  buttonLabel: string;
  /** URL of the cancel link. */
  cancelHref: string;
}

/**
 * Renders the content of a page that asks for confirmation before an action. Only the button of the
 * page submits the form.
 */
export const confirmation = ({ text, action, buttonLabel, cancelHref }: Confirmation) =>
  html`<form method="post" ${action ? html`action="${action}"` : ''} class="panel">
    <div class="text">${text}</div>
    <p class="buttons">
      <button class="danger last">${buttonLabel}</button>
      <a class="button secondary" href="${cancelHref}">Go back</a>
    </p>
  </form>`;
