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
import { MethodForm } from './method-form.ts';

/** The field in which each error code of Stripe is shown. */
const FIELD_BY_ERROR_CODE: Readonly<Record<string, string>> = {
  incorrect_number: 'number',
  invalid_number: 'number',
  expired_card: 'expiry',
  invalid_expiry_month: 'expiry',
  invalid_expiry_year: 'expiry',
  incorrect_cvc: 'cvc',
  invalid_cvc: 'cvc',
};

/** The form of a card: number, expiration date and CVC. */
export class CardForm extends MethodForm {
  protected override readonly fieldByErrorCode = FIELD_BY_ERROR_CODE;
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
    super();
    this.#changed = changed;
    this.node.className = 'card';
    this.#brand.className = 'brand';
    this.#brand.setAttribute('aria-hidden', 'true');
    this.#number.box.append(this.#brand);
    this.append(this.fields);
  }

  get #currentBrand() {
    return brandOf(digitsOf(this.#number.value));
  }

  protected override get fields() {
    return [this.#number, this.#expiry, this.#cvc];
  }

  /** Returns the card data for the confirmation. No other code reads the fields. */
  override read() {
    const { month, year } = readExpiry(this.#expiry.value);
    return {
      number: digitsOf(this.#number.value),
      exp_month: String(month),
      exp_year: String(year),
      cvc: this.#cvc.value,
    };
  }

  #showBrand(brand: string) {
    this.#brand.dataset['brand'] = brand;
    this.#cvc.input.placeholder = cvcLength(brand) === 4 ? '4 digits' : 'CVC';
    this.#cvc.refresh();
  }
}
