import { aTimeout, fixture, html } from '@open-wc/testing';
import type { ConnectDonate } from '../connect-donate.ts';
import { SERVER } from './server.ts';
import { waitUntil } from './wait-until.ts';

const GALA = html`<connect-donate server=${SERVER} form="gala"></connect-donate>`;

/** Test driver of a `<connect-donate>` form: reads its texts and simulates the donor's input. */
export class Donor {
  readonly element: ConnectDonate;

  constructor(element: ConnectDonate) {
    this.element = element;
  }

  /** Renders a page and returns the form in it, without waiting for the form to load. */
  static async render(page = GALA): Promise<Donor> {
    const main = await fixture<HTMLElement>(html`<main>${page}</main>`);
    return new Donor(main.querySelector('connect-donate')!);
  }

  /** Renders a page and waits until the form in it is drawn. */
  static async open(page = GALA): Promise<Donor> {
    const donor = await Donor.render(page);
    await donor.whenDrawn();
    return donor;
  }

  /** Waits until the form can be filled in. */
  whenDrawn(): Promise<void> {
    return waitUntil(
      () => this.find('form .primary:not(:disabled *)') && !this.find('.skeleton'),
      'the form is drawn',
    );
  }

  find<Found extends HTMLElement = HTMLElement>(selector: string): Found | null {
    return this.element.shadowRoot!.querySelector<Found>(selector);
  }

  all(selector: string): HTMLElement[] {
    return [...this.element.shadowRoot!.querySelectorAll<HTMLElement>(selector)];
  }

  get text(): string {
    return this.element.shadowRoot!.textContent.replace(/\s+/g, ' ');
  }

  get focused(): Element | null {
    return this.element.shadowRoot!.activeElement;
  }

  type(id: 'other' | 'name' | 'email' | 'dedication' | 'comment', text: string) {
    const input = this.find<HTMLInputElement>(`#${id}`)!;
    input.focus();
    input.value = text;
    input.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  }

  /** Clicks the radio button of an amount (in minor units) or a frequency. */
  select(value: number | string) {
    this.find<HTMLInputElement>(`input[value="${value}"]`)!.click();
  }

  /** Clicks a checkbox. */
  check(name: 'coverFee' | 'anonymous') {
    this.find<HTMLInputElement>(`input[name="${name}"]`)!.click();
  }

  /** Fills in the required fields and waits for the card fields. */
  async fill() {
    this.type('name', 'Maya Lindqvist');
    this.type('email', 'maya@example.org');
    await this.waitFor('.payment-fields:not(.waiting)');
  }

  submit() {
    this.find<HTMLButtonElement>('form .primary')!.click();
  }

  /** Fills in the form and presses Give. */
  async fillAndSubmit() {
    await this.fill();
    this.submit();
  }

  waitFor(selector: string): Promise<void> {
    return waitUntil(() => this.find(selector), `shows ${selector}`);
  }

  async waitForText(text: string | RegExp) {
    const matches = () =>
      typeof text === 'string' ? this.text.includes(text) : text.test(this.text);
    await waitUntil(matches, `sees ${text}`).catch((error: Error) => {
      throw new Error(`${error.message}, in: ${this.text}`, { cause: error });
    });
    await aTimeout(0);
  }
}
