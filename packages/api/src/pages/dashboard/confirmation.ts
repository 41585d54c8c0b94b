import { html } from 'hono/html';
import type { Html } from '../layout.ts';

/** A question before something that cannot be taken back. */
interface Confirmation {
  /** What will happen, in whole sentences. */
  text: Html | string;
  /** Where the form goes; by default to the page that asks. */
  action?: string;
  /** What the button does: `Delete the endpoint`. */
  verb: string;
  /** Where to go instead. */
  back: string;
}

/** The content of a page that asks before it destroys; the button alone sends the form. */
export const confirmation = ({ text, action, verb, back }: Confirmation) =>
  html`<form method="post" ${action ? html`action="${action}"` : ''} class="panel">
    <div class="text">${text}</div>
    <p class="buttons">
      <button class="danger last">${verb}</button>
      <a class="button second" href="${back}">Keep everything as it is</a>
    </p>
  </form>`;
