/** The donor's input in the payment sheet of a wallet. */
export type WalletSheetResult = { name: string; email: string; card: string };

/** Card numbers of the simulated wallet, by label. */
const WALLET_CARDS: Readonly<Record<string, string>> = {
  'Visa 4242': '4242424242424242',
  'Visa 0002 (declined)': '4000000000000002',
};

type SheetContent = {
  title: string;
  /**
   * Amount in minor units, followed by the currency, as set in `elements()` when the sheet opens.
   */
  total: string;
  billingDescription: string;
  requiresName: boolean;
  requiresEmail: boolean;
};

/**
 * Simulates the payment sheet of a wallet with a dialog of the page.
 *
 * A real payment sheet is shown by the browser or the operating system. Like this dialog, it shows
 * the amount and the payer.
 */
export class WalletSheet {
  readonly #dialog = document.createElement('dialog');

  constructor(
    content: SheetContent,
    onPay: (response: WalletSheetResult) => void,
    onCancel: () => void,
  ) {
    const dialog = this.#dialog;
    dialog.setAttribute('aria-label', content.title);
    dialog.style.cssText = 'padding:24px;border-radius:12px;font:16px sans-serif;max-width:320px';
    const nameField = createLabelledInput('Name in the wallet', 'Wallis Wallet');
    const emailField = createLabelledInput('Email in the wallet', 'wallis@example.org');
    const cardSelect = createCardSelect();
    const payButton = createButton('Pay', () => {
      payButton.disabled = true;
      onPay({
        name: content.requiresName ? nameField.input.value : '',
        email: content.requiresEmail ? emailField.input.value : '',
        card: cardSelect.value,
      });
    });
    const cancelButton = createButton('Cancel', onCancel);
    const requestedInputs = [
      ...(content.requiresName ? [nameField.label] : []),
      ...(content.requiresEmail ? [emailField.label] : []),
    ];
    dialog.append(
      createTextElement('output', content.total),
      createTextElement('p', content.billingDescription),
      ...requestedInputs,
      cardSelect,
      payButton,
      cancelButton,
    );
    dialog.addEventListener('cancel', onCancel);
    document.body.append(dialog);
    dialog.showModal();
  }

  close() {
    this.#dialog.close();
    this.#dialog.remove();
  }
}

function createTextElement(tag: 'output' | 'p', text: string) {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

function createCardSelect() {
  const select = document.createElement('select');
  select.setAttribute('aria-label', 'Card in the wallet');
  for (const [label, number] of Object.entries(WALLET_CARDS))
    select.append(new Option(label, number));
  return select;
}

function createLabelledInput(text: string, value: string) {
  const label = document.createElement('label');
  const input = document.createElement('input');
  input.value = value;
  label.append(text, input);
  label.style.display = 'block';
  return { label, input };
}

export function createButton(text: string, onPress: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  button.addEventListener('click', onPress);
  return button;
}
