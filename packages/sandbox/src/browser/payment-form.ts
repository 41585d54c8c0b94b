import type { ApiError, Fields } from './api.ts';
import { AchForm, SepaForm } from './bank-forms.ts';
import { CardForm } from './card-form.ts';
import type { BillingName, MethodForm } from './method-form.ts';
import { PaypalForm } from './paypal-form.ts';

type Method = {
  label: string;
  create: (changed: () => void, asked: readonly BillingName[]) => MethodForm;
  /** What the donor agrees to; for a bank debit, the mandate. */
  terms?: string;
  /** Texts of the note, of which every second one is not broken into lines. */
  note: readonly string[];
};

const METHODS: Readonly<Record<string, Method>> = {
  card: {
    label: 'Card',
    create: (changed) => new CardForm(changed),
    note: [' No money moves. Use ', '4242 4242 4242 4242', ', any future date and any code.'],
  },
  paypal: {
    label: 'PayPal',
    create: () => new PaypalForm(),
    terms: 'You confirm the payment on the page of PayPal, which opens next, and then return.',
    note: [' No money moves.'],
  },
  sepa_debit: {
    label: 'SEPA debit',
    create: (changed, asked) => new SepaForm(changed, asked),
    terms:
      'By confirming, you authorize the recipient and Stripe, its payment service provider, to send instructions to your bank to debit your account, and your bank to debit your account in accordance with these instructions. You can claim a refund from your bank within eight weeks from the date on which your account was debited. You will be notified up to two days before a debit.',
    note: [' No money moves. Use ', 'AT61 1904 3002 3457 3201', '.'],
  },
  us_bank_account: {
    label: 'US bank account',
    create: (changed, asked) => new AchForm(changed, asked),
    terms:
      'By confirming, you authorize the recipient to debit this bank account for the amount above and, if you chose regular payments, for each of them, until you revoke this authorization.',
    note: [
      ' No money moves. Use routing number ',
      '110000000',
      ' and account number ',
      '000123456789',
      '.',
    ],
  },
};

/** Returns those methods that the payment frame has a form for. */
export const withForm = (types: readonly string[]) =>
  types.filter((type) => Object.hasOwn(METHODS, type));

/**
 * The form in the sandbox's payment frame. If more than one method is offered, the donor chooses one; otherwise the
 * frame shows only the fields of the method.
 */
export class PaymentForm {
  readonly #parent: HTMLElement;
  readonly #changed: () => void;
  readonly #forms = new Map<string, MethodForm>();
  readonly #radios = new Map<string, HTMLInputElement>();
  #offered: readonly string[] = [];
  #asked: readonly BillingName[] = [];
  #selected = 'card';

  constructor(parent: HTMLElement, changed: () => void) {
    this.#parent = parent;
    this.#changed = changed;
    this.offer(['card']);
  }

  get selected() {
    return this.#selected;
  }

  get state() {
    const { isComplete: complete, isEmpty: empty } = this.#form;
    return { complete, empty, collapsed: false, value: { type: this.#selected } };
  }

  /** Offers methods in the given order. The card is selected at first, if it is one of them. */
  offer(types: readonly string[], asked: readonly BillingName[] = []) {
    this.#asked = asked;
    const next = withForm(types);
    if (!next.length || next.join() === this.#offered.join()) return;
    const isStillOffered = next.includes(this.#selected);
    this.#offered = next;
    if (!isStillOffered) this.#selected = next.includes('card') ? 'card' : next[0]!;
    this.#render();
    if (!isStillOffered) this.#changed();
  }

  validate(): ApiError | undefined {
    return this.#form.validate();
  }

  read(): Fields {
    return { type: this.#selected, [this.#selected]: this.#form.read() };
  }

  readBillingDetails(): Fields {
    return this.#form.readBillingDetails();
  }

  showProcessorError(error: ApiError) {
    this.#form.showProcessorError(error);
  }

  focus() {
    if (!this.#form.focus()) this.#radios.get(this.#selected)?.focus();
  }

  get #form() {
    return this.#formOf(this.#selected);
  }

  #formOf(type: string): MethodForm {
    const form = this.#forms.get(type) ?? METHODS[type]!.create(this.#changed, this.#asked);
    this.#forms.set(type, form);
    return form;
  }

  #render() {
    this.#radios.clear();
    const content =
      this.#offered.length === 1 ? this.#contentOf(this.#selected) : [this.#createChoice()];
    this.#parent.replaceChildren(...content);
  }

  /** The note is above the terms, so that what a page says below the frame follows what Stripe's own says. */
  #contentOf(type: string): HTMLElement[] {
    const { terms, note } = METHODS[type]!;
    const texts = terms ? [createParagraph('terms', terms)] : [];
    return [this.#formOf(type).node, createNote(note), ...texts];
  }

  #createChoice(): HTMLElement {
    const group = document.createElement('fieldset');
    const legend = document.createElement('legend');
    legend.textContent = 'Payment method';
    group.append(legend, ...this.#offered.map((type) => this.#createMethod(type)));
    return group;
  }

  #createMethod(type: string): HTMLElement {
    const radio = document.createElement('input');
    const label = document.createElement('label');
    const fields = document.createElement('div');
    const method = document.createElement('div');
    Object.assign(radio, { type: 'radio', name: 'method', value: type });
    radio.checked = type === this.#selected;
    radio.addEventListener('change', () => this.#select(type));
    this.#radios.set(type, radio);
    label.append(radio, METHODS[type]!.label);
    fields.className = 'method-fields';
    fields.hidden = !radio.checked;
    fields.append(...this.#contentOf(type));
    method.className = 'method';
    method.append(label, fields);
    return method;
  }

  #select(type: string) {
    this.#selected = type;
    for (const [each, radio] of this.#radios) {
      const fields = radio.closest('.method')?.querySelector<HTMLElement>('.method-fields');
      if (fields) fields.hidden = each !== type;
    }
    this.#changed();
  }
}

function createParagraph(className: string, text: string) {
  const node = document.createElement('p');
  node.className = className;
  node.textContent = text;
  return node;
}

function createNote(texts: readonly string[]) {
  const note = document.createElement('p');
  note.className = 'note';
  const badge = document.createElement('strong');
  badge.textContent = 'TEST';
  const parts = texts.map((text, index) => {
    if (index % 2 === 0) return text;
    const unbroken = document.createElement('span');
    unbroken.textContent = text;
    return unbroken;
  });
  note.append(badge, ...parts);
  return note;
}
