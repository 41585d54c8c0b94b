/** Error of a field, with Stripe's code. */
export type FieldError = { code: string; message: string };

type Options = {
  name: string;
  label: string;
  placeholder: string;
  autocomplete: AutoFill;
  inputMode?: 'numeric' | 'text' | 'email';
  format: (text: string, deleting: boolean) => string;
  check: (text: string) => FieldError | undefined;
  changed: () => void;
  onComplete: () => void;
};

/** One labeled input of the simulated payment form: formats the input and shows its error. */
export class FormField {
  readonly node = document.createElement('div');
  readonly input = document.createElement('input');
  /** Contains the input. Nodes that are added to the box lie over the input. */
  readonly box = document.createElement('div');
  readonly #error = document.createElement('p');
  readonly #options: Options;
  /** Errors are shown only after the donor has left the field or submitted the form. */
  #touched = false;
  #processorError: FieldError | undefined;

  constructor(options: Options) {
    this.#options = options;
    const { node, input } = this;
    node.className = `field field-${options.name}`;
    const label = document.createElement('label');
    label.textContent = options.label;
    label.htmlFor = input.id = options.name;
    this.#error.className = 'error';
    this.#error.id = `${options.name}-error`;
    this.#error.setAttribute('aria-live', 'polite');
    Object.assign(input, {
      name: options.name,
      placeholder: options.placeholder,
      autocomplete: options.autocomplete,
      inputMode: options.inputMode ?? 'numeric',
      spellcheck: false,
      required: true,
    });
    input.setAttribute('aria-describedby', this.#error.id);
    input.addEventListener('input', this.#onInput);
    input.addEventListener('blur', this.#onBlur);
    this.box.className = 'box';
    this.box.append(input);
    node.append(label, this.box, this.#error);
  }

  get value() {
    return this.input.value;
  }

  get error() {
    return this.#options.check(this.value);
  }

  get empty() {
    return this.value === '';
  }

  /** Shows errors from now on. */
  reveal() {
    this.#touched = true;
    this.#render();
  }

  /** Shows the processor's error until the donor changes the field. */
  showError(refusal: FieldError) {
    this.#processorError = refusal;
    this.#render();
  }

  /**
   * Formats again after another field has changed: the card brand determines the length of the CVC.
   */
  refresh() {
    this.input.value = this.#options.format(this.value, true);
    this.#render();
  }

  readonly #onInput = (event: Event) => {
    const { input } = this;
    const deleting = event instanceof InputEvent && event.inputType.startsWith('delete');
    const atEnd = input.selectionEnd === input.value.length;
    const before = input.value.slice(0, input.selectionEnd ?? 0);
    const formatted = this.#options.format(input.value, deleting);
    if (formatted !== input.value) {
      input.value = formatted;
      if (!atEnd) this.#restoreCaret(before.replaceAll(/\W/g, '').length);
    }
    this.#processorError = undefined;
    this.#render();
    this.#options.changed();
    if (atEnd && !deleting && !this.error && document.activeElement === input)
      this.#options.onComplete();
  };

  /** Restores the caret behind the same character, because formatting adds and removes spaces. */
  #restoreCaret(characters: number) {
    let caretPosition = 0;
    for (let seen = 0; seen < characters && caretPosition < this.value.length; caretPosition += 1) {
      if (/\w/.test(this.value[caretPosition] ?? '')) seen += 1;
    }
    this.input.setSelectionRange(caretPosition, caretPosition);
  }

  readonly #onBlur = () => {
    // An empty field shows no error when the donor leaves it.
    if (!this.empty) this.reveal();
  };

  #render() {
    const error = this.#processorError ?? (this.#touched ? this.error : undefined);
    this.input.setAttribute('aria-invalid', String(Boolean(error)));
    if (this.#error.textContent !== (error?.message ?? '')) {
      this.#error.textContent = error?.message ?? '';
    }
  }
}
