import type { ApiError, Fields } from './api.ts';
import type { FormField } from './form-field.ts';

/** A billing detail that a mandate needs. */
export type BillingName = 'name' | 'email';

/** The fields of a payment method in the sandbox's payment frame. */
export abstract class MethodForm {
  readonly node = document.createElement('div');
  protected abstract readonly fields: readonly FormField[];
  /** Name of the field in which an error code of Stripe is shown. */
  protected abstract readonly fieldByErrorCode: Readonly<Record<string, string>>;

  /** Returns the data for the confirmation. No other code reads the fields. */
  abstract read(): Fields;

  /** Returns what the donor was asked for besides the payment method. */
  readBillingDetails(): Fields {
    return {};
  }

  get isComplete() {
    return this.fields.every((field) => !field.error);
  }

  get isEmpty() {
    return this.fields.every((field) => field.empty);
  }

  /** Shows all errors, focuses the first invalid field and returns its error. */
  validate(): ApiError | undefined {
    for (const field of this.fields) field.reveal();
    const invalidField = this.fields.find((field) => field.error);
    if (!invalidField?.error) return undefined;
    invalidField.input.focus();
    return { type: 'validation_error', ...invalidField.error };
  }

  /** Shows an error of the processor at the field that its code belongs to, if any. */
  showProcessorError({ code = '', message }: ApiError) {
    const name = this.fieldByErrorCode[code];
    this.fields.find(({ input }) => input.name === name)?.showError({ code, message });
  }

  /** @returns false if the form has no field */
  focus(): boolean {
    const field = this.fields.find((each) => each.error) ?? this.fields[0];
    field?.input.focus();
    return field !== undefined;
  }

  protected append(fields: readonly FormField[]) {
    this.node.append(...fields.map((field) => field.node));
  }
}
