import {
  checkAccountNumber,
  checkIban,
  checkRoutingNumber,
  compactIban,
  formatAccountNumber,
  formatIban,
  formatRoutingNumber,
} from './bank-format.ts';
import { FormField } from './form-field.ts';
import { MethodForm } from './method-form.ts';

/** The form of a SEPA debit: the IBAN. */
export class SepaForm extends MethodForm {
  protected override readonly fields: readonly [FormField];
  protected override readonly fieldByErrorCode = { invalid_bank_account_iban: 'iban' };

  constructor(changed: () => void) {
    super();
    const iban = new FormField({
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
    this.fields = [iban];
    this.node.className = 'bank';
    this.append(this.fields);
  }

  override read() {
    return { iban: compactIban(this.fields[0].value) };
  }
}

/** The form of an ACH debit: routing number and account number. */
export class AchForm extends MethodForm {
  protected override readonly fields: readonly [FormField, FormField];
  protected override readonly fieldByErrorCode = {
    routing_number_invalid: 'routing',
    account_number_invalid: 'account',
  };

  constructor(changed: () => void) {
    super();
    const account = new FormField({
      name: 'account',
      label: 'Account number',
      placeholder: '000123456789',
      autocomplete: 'off',
      format: formatAccountNumber,
      check: checkAccountNumber,
      changed,
      onComplete: () => {},
    });
    const routing = new FormField({
      name: 'routing',
      label: 'Routing number',
      placeholder: '110000000',
      autocomplete: 'off',
      format: formatRoutingNumber,
      check: checkRoutingNumber,
      changed,
      onComplete: () => account.input.focus(),
    });
    this.fields = [routing, account];
    this.node.className = 'bank';
    this.append(this.fields);
  }

  override read() {
    const [routing, account] = this.fields;
    return { routing_number: routing.value, account_number: account.value };
  }
}
