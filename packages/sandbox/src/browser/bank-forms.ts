import {
  checkAccountNumber,
  checkEmail,
  checkIban,
  checkName,
  checkRoutingNumber,
  compactIban,
  formatAccountNumber,
  formatIban,
  formatRoutingNumber,
} from './bank-format.ts';
import { FormField } from './form-field.ts';
import { type BillingName, MethodForm } from './method-form.ts';

const keep = (text: string) => text;

/** Creates the fields for those billing details that the page does not send, as Stripe's Payment Element does. */
function createBillingFields(asked: readonly BillingName[], changed: () => void): FormField[] {
  const always = { format: keep, changed, onComplete: () => {} };
  const fields = {
    name: () =>
      new FormField({
        name: 'name',
        label: 'Full name',
        placeholder: 'First and last name',
        autocomplete: 'name',
        inputMode: 'text',
        check: checkName,
        ...always,
      }),
    email: () =>
      new FormField({
        name: 'email',
        label: 'Email',
        placeholder: 'you@example.com',
        autocomplete: 'email',
        inputMode: 'email',
        check: checkEmail,
        ...always,
      }),
  };
  return asked.map((name) => fields[name]());
}

/** The form of a bank debit, whose mandate names the donor. */
abstract class BankForm extends MethodForm {
  protected readonly billingFields: readonly FormField[];

  constructor(changed: () => void, asked: readonly BillingName[]) {
    super();
    this.billingFields = createBillingFields(asked, changed);
    this.node.className = 'bank';
  }

  override readBillingDetails() {
    return Object.fromEntries(
      this.billingFields.map(({ input }) => [input.name, input.value.trim()]),
    );
  }
}

/** The form of a SEPA debit: the IBAN. */
export class SepaForm extends BankForm {
  protected override readonly fields: readonly FormField[];
  protected override readonly fieldByErrorCode = { invalid_bank_account_iban: 'iban' };
  readonly #iban: FormField;

  constructor(changed: () => void, asked: readonly BillingName[]) {
    super(changed, asked);
    this.#iban = new FormField({
      name: 'iban',
      label: 'IBAN',
      placeholder: 'AT00 0000 0000 0000 0000',
      autocomplete: 'off',
      inputMode: 'text',
      format: formatIban,
      check: checkIban,
      changed,
      onComplete: () => {},
    });
    this.fields = [...this.billingFields, this.#iban];
    this.append(this.fields);
  }

  override read() {
    return { iban: compactIban(this.#iban.value) };
  }
}

/** The form of an ACH debit: routing number and account number. */
export class AchForm extends BankForm {
  protected override readonly fields: readonly FormField[];
  protected override readonly fieldByErrorCode = {
    routing_number_invalid: 'routing',
    account_number_invalid: 'account',
  };
  readonly #routing: FormField;
  readonly #account: FormField;

  constructor(changed: () => void, asked: readonly BillingName[]) {
    super(changed, asked);
    this.#account = new FormField({
      name: 'account',
      label: 'Account number',
      placeholder: '000123456789',
      autocomplete: 'off',
      format: formatAccountNumber,
      check: checkAccountNumber,
      changed,
      onComplete: () => {},
    });
    this.#routing = new FormField({
      name: 'routing',
      label: 'Routing number',
      placeholder: '110000000',
      autocomplete: 'off',
      format: formatRoutingNumber,
      check: checkRoutingNumber,
      changed,
      onComplete: () => this.#account.input.focus(),
    });
    this.fields = [...this.billingFields, this.#routing, this.#account];
    this.append(this.fields);
  }

  override read() {
    return { routing_number: this.#routing.value, account_number: this.#account.value };
  }
}
