import type { ApiError } from './api.ts';
import { brandOf } from '../card-number.ts';
import { FormField } from './form-field.ts';
import {
  checkCvc,
  checkExpiry,
  checkNumber,
  cvcLength,
  digitsOf,
  formatCvc,
  formatExpiry,
  formatNumber,
  readExpiry,
} from './card-format.ts';

/** The field in which each error code of Stripe is shown. */
const FIELD_BY_ERROR_CODE: Record<string, 'number' | 'expiry' | 'cvc'> = {
  incorrect_number: 'number',
  invalid_number: 'number',
  expired_card: 'expiry',
  invalid_expiry_month: 'expiry',
  invalid_expiry_year: 'expiry',
  incorrect_cvc: 'cvc',
  invalid_cvc: 'cvc',
};

/** The card form in the sandbox's card frame: number, expiration date and CVC. */
export class CardForm {
  readonly node = document.createElement('div');
  readonly #changed: () => void;
  readonly #brand = document.createElement('span');
  readonly #number = new FormField({
    name: 'number',
    label: 'Card number',
    placeholder: '1234 1234 1234 1234',
    autocomplete: 'cc-number',
    format: formatNumber,
    check: checkNumber,
    changed: () => {
      this.#showBrand(this.#currentBrand);
      this.#changed();
    },
    onComplete: () => this.#expiry.input.focus(),
  });
  readonly #expiry = new FormField({
    name: 'expiry',
    label: 'Expiration date',
    placeholder: 'MM / YY',
    autocomplete: 'cc-exp',
    format: formatExpiry,
    check: (text) => checkExpiry(text),
    changed: () => this.#changed(),
    onComplete: () => this.#cvc.input.focus(),
  });
  readonly #cvc = new FormField({
    name: 'cvc',
    label: 'Security code',
    placeholder: 'CVC',
    autocomplete: 'cc-csc',
    format: (text) => formatCvc(text, this.#currentBrand),
    check: (text) => checkCvc(text, this.#currentBrand),
    changed: () => this.#changed(),
    onComplete: () => {},
  });

  constructor(changed: () => void) {
    this.#changed = changed;
    this.node.className = 'card';
    this.#brand.className = 'brand';
    this.#brand.setAttribute('aria-hidden', 'true');
    this.#number.box.append(this.#brand);
    this.node.append(...this.#fields.map((field) => field.node));
  }

  get #currentBrand() {
    return brandOf(digitsOf(this.#number.value));
  }

  get #fields() {
    return [this.#number, this.#expiry, this.#cvc];
  }

  get state() {
    return {
      complete: this.#fields.every((field) => !field.error),
      empty: this.#fields.every((field) => field.empty),
      collapsed: false,
      value: { type: 'card' },
    };
  }

  /** Shows all errors, focuses the first invalid field and returns its error. */
  validate(): ApiError | undefined {
    for (const field of this.#fields) field.reveal();
    const invalidField = this.#fields.find((field) => field.error);
    if (!invalidField?.error) return undefined;
    invalidField.input.focus();
    return { type: 'validation_error', ...invalidField.error };
  }

  /** Returns the card data for the confirmation. No other code reads the fields. */
  read() {
    const { month, year } = readExpiry(this.#expiry.value);
    return {
      number: digitsOf(this.#number.value),
      exp_month: String(month),
      exp_year: String(year),
      cvc: this.#cvc.value,
    };
  }

  /** Shows an error of the processor at the field that its code belongs to, if any. */
  showProcessorError({ code = '', message }: ApiError) {
    const name = FIELD_BY_ERROR_CODE[code];
    if (name) this.#fieldByName(name).showError({ code, message });
  }

  #fieldByName(name: 'number' | 'expiry' | 'cvc') {
    return { number: this.#number, expiry: this.#expiry, cvc: this.#cvc }[name];
  }

  focus() {
    (this.#fields.find((field) => field.error) ?? this.#number).input.focus();
  }

  clear() {
    for (const field of this.#fields) field.clear();
    this.#showBrand('unknown');
  }

  #showBrand(brand: string) {
    this.#brand.dataset['brand'] = brand;
    this.#cvc.input.placeholder = cvcLength(brand) === 4 ? '4 digits' : 'CVC';
    this.#cvc.refresh();
  }
}
