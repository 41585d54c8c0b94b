/** Script of the simulated 3-D Secure page: a person completes or fails the authentication. */
import { type Owner, authenticateIntent } from './api.ts';
import { openParentChannel } from './frame-channel.ts';

type SetupMessage = { owner: Owner; clientSecret: string; amount?: number; currency?: string };

let setup: SetupMessage | undefined;

const channel = openParentChannel((name, data) => {
  if (name === 'setup') showDialog(data as SetupMessage);
  if (name === 'escape') void submitOutcome('fail');
});

const dialog = document.createElement('div');
const heading = document.createElement('h1');
const text = document.createElement('p');
const badge = document.createElement('strong');
const completeButton = createOutcomeButton('Complete authentication', 'complete');
const failButton = createOutcomeButton('Fail authentication', 'fail');

heading.id = 'heading';
heading.textContent = 'Confirm your identity';
text.id = 'text';
badge.textContent = 'TEST';
dialog.className = 'dialog';
dialog.setAttribute('role', 'dialog');
dialog.setAttribute('aria-modal', 'true');
dialog.setAttribute('aria-labelledby', heading.id);
dialog.setAttribute('aria-describedby', text.id);
dialog.append(badge, heading, text, completeButton, failButton);
document.body.append(dialog);

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') void submitOutcome('fail');
  if (event.key === 'Tab') trapFocus(event);
});
channel.post('hello');

function showDialog(received: SetupMessage) {
  setup = received;
  const subject = received.amount === undefined ? 'card' : `payment of ${formatAmount(received)}`;
  text.textContent = `Your bank asks you to authenticate this ${subject}. In the sandbox, you choose the outcome.`;
  completeButton.focus();
}

async function submitOutcome(outcome: 'complete' | 'fail') {
  if (!setup || completeButton.disabled) return;
  completeButton.disabled = failButton.disabled = true;
  const { owner, clientSecret } = setup;
  channel.post('answered', await authenticateIntent(location.origin, owner, clientSecret, outcome));
}

function createOutcomeButton(label: string, outcome: 'complete' | 'fail') {
  const node = document.createElement('button');
  node.type = 'button';
  node.className = outcome;
  node.textContent = label;
  node.addEventListener('click', () => void submitOutcome(outcome));
  return node;
}

/** Keeps the focus in the dialog: Tab alternates between its two buttons. */
function trapFocus(event: KeyboardEvent) {
  event.preventDefault();
  (document.activeElement === completeButton ? failButton : completeButton).focus();
}

function formatAmount({ amount = 0, currency = 'usd' }: SetupMessage) {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
