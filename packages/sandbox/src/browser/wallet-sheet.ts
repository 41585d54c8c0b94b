/** The donor's input in the sheet of a wallet. */
export type WalletSheetResult = { name: string; email: string; card: string };

/** Card numbers of the simulated wallet, by label. */
const WALLET_CARDS: Readonly<Record<string, string>> = {
  'Visa 4242': '4242424242424242',
  'Visa 0002 (declined)': '4000000000000002',
};

export type SheetContent = {
  title: string;
  /** Amount in minor units and currency of `elements()` when the sheet opens. */
  total: string;
  note: string;
  nameRequired: boolean;
  emailRequired: boolean;
};

/**
 * Simulates the payment sheet of a wallet with a dialog of the page.
 *
 * A real sheet belongs to the browser or the operating system, and shows the amount and the payer
 * too.
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
    const total = document.createElement('output');
    total.textContent = content.total;
    const note = document.createElement('p');
    note.textContent = content.note;
    const name = createLabelledInput('Name in the wallet', 'Wallis Wallet');
    const email = createLabelledInput('Email in the wallet', 'wallis@example.org');
    const cards = document.createElement('select');
    cards.setAttribute('aria-label', 'Card in the wallet');
    for (const [label, number] of Object.entries(WALLET_CARDS))
      cards.append(new Option(label, number));
    const pay = createButton('Pay', () => {
      pay.disabled = true;
      onPay({
        name: content.nameRequired ? name.input.value : '',
        email: content.emailRequired ? email.input.value : '',
        card: cards.value,
      });
    });
    const cancel = createButton('Cancel', onCancel);
    const requestedInputs = [
      ...(content.nameRequired ? [name.label] : []),
      ...(content.emailRequired ? [email.label] : []),
    ];
    dialog.append(total, note, ...requestedInputs, cards, pay, cancel);
    dialog.addEventListener('cancel', onCancel);
    document.body.append(dialog);
    dialog.showModal();
  }

  close() {
    this.#dialog.close();
    this.#dialog.remove();
  }
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
