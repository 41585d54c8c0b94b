import type { FormField } from './form-field.ts';
import { MethodForm } from './method-form.ts';

/** PayPal has no fields: the donor signs in on its page. */
export class PaypalForm extends MethodForm {
  protected override readonly fields: readonly FormField[] = [];
  protected override readonly fieldByErrorCode = {};

  override read() {
    return {};
  }
}
