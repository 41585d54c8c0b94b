import { aTimeout, fixture, html, waitUntil } from '@open-wc/testing';
import type { ConnectDonate } from '../connect-donate.ts';
import { SERVER } from './server.ts';

/** What a donor sees and does in a form. */
export class Donor {
  readonly element: ConnectDonate;

  constructor(element: ConnectDonate) {
    this.element = element;
  }

  /** Opens a form and waits until it is drawn. */
  static async arrive(form = 'gala'): Promise<Donor> {
    const element = await fixture<ConnectDonate>(
      html`<connect-donate server=${SERVER} form=${form}></connect-donate>`,
    );
    const donor = new Donor(element);
    await waitUntil(() => donor.find('.give:not(:disabled *)') && !donor.find('.ghost'), 'drawn');
    return donor;
  }

  find<Found extends HTMLElement = HTMLElement>(selector: string): Found | null {
    return this.element.shadowRoot!.querySelector<Found>(selector);
  }

  get text(): string {
    return this.element.shadowRoot!.textContent.replace(/\s+/g, ' ');
  }

  get focused(): Element | null {
    return this.element.shadowRoot!.activeElement;
  }

  type(id: 'other' | 'name' | 'email', text: string) {
    const input = this.find<HTMLInputElement>(`#${id}`)!;
    input.focus();
    input.value = text;
    input.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  }

  choose(cents: number) {
    this.find<HTMLInputElement>(`input[value="${cents}"]`)!.click();
  }

  /** Fills in what is required, and waits for the card's fields. */
  async fill() {
    this.type('name', 'Maya Lindqvist');
    this.type('email', 'maya@example.org');
    await waitUntil(() => this.find('.place:not(.waiting)'), 'card drawn', { timeout: 5000 });
  }

  press() {
    this.find<HTMLButtonElement>('.give')!.click();
  }

  async sees(text: string | RegExp, timeout = 5000) {
    const matches = () =>
      typeof text === 'string' ? this.text.includes(text) : text.test(this.text);
    await waitUntil(matches, `sees ${text}, in: ${this.text}`, { timeout });
    await aTimeout(0);
  }
}
