import type { ApiError, Intent, Owner, Result } from './api.ts';
import { retrieveIntent } from './api.ts';
import { FrameChannel } from './frame-channel.ts';
import { frameUrl } from './payment-frame.ts';

/**
 * Simulates 3-D Secure: shows the authentication page in a dialog and waits for its result.
 *
 * It is a modal `<dialog>`: the page behind it is inert, and focus returns to the previous element.
 */
export async function authenticate(base: string, owner: Owner, intent: Intent): Promise<Result> {
  const page = intent.next_action?.use_stripe_sdk?.stripe_js;
  // The URL comes from the sandbox; a URL of another origin is not opened.
  if (!page || new URL(page).origin !== new URL(base).origin)
    return { error: noActionError(intent) };
  const token = crypto.randomUUID();
  const dialog = createDialog();
  const frame = createFullFrame();
  frame.name = `__privateStripeFrame${token}`; // Stripe's frames have such names.
  frame.src = frameUrl(page, token);
  dialog.append(frame);
  document.body.append(dialog);
  const { promise: outcome, resolve } = Promise.withResolvers<Result>();
  const onMessage = (name: string, data: unknown) => {
    if (name === 'hello') channel.post('setup', setupMessage(owner, intent));
    if (name === 'answered') resolve(data as Result);
  };
  const channel = new FrameChannel(
    () => frame.contentWindow,
    new URL(page).origin,
    token,
    onMessage,
  );
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    channel.post('escape');
  });
  void untilRemoved(dialog).then(async () => {
    channel.close();
    resolve(await retrieveIntent(base, owner, intent.client_secret));
  });
  dialog.showModal();
  frame.focus();
  const result = await outcome;
  dialog.close();
  dialog.remove();
  return result;
}

const setupMessage = (owner: Owner, { client_secret, amount, currency }: Intent) => ({
  owner,
  clientSecret: client_secret,
  amount,
  currency,
});

/**
 * Resolves when the dialog leaves the document, so that a payment also ends if the page removes the
 * dialog.
 */
function untilRemoved(dialog: HTMLElement): Promise<void> {
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (dialog.isConnected) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(document, { childList: true, subtree: true });
  });
}

function createDialog() {
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-label', 'Authentication');
  Object.assign(dialog.style, {
    position: 'fixed',
    inset: '0',
    width: '100vw',
    height: '100dvh',
    maxWidth: 'none',
    maxHeight: 'none',
    margin: '0',
    padding: '0',
    border: '0',
    background: 'transparent',
    overflow: 'hidden',
    colorScheme: 'light',
  });
  return dialog;
}

function createFullFrame() {
  const frame = document.createElement('iframe');
  frame.title = 'Authentication';
  Object.assign(frame.style, {
    display: 'block',
    width: '100%',
    height: '100%',
    border: '0',
    background: 'transparent',
    colorScheme: 'light',
  });
  return frame;
}

const noActionError = (intent: Intent): ApiError => ({
  type: 'invalid_request_error',
  code: 'payment_intent_unexpected_state',
  message: `This intent has a status of ${intent.status}; there is nothing to authenticate.`,
  [intent.object]: intent,
});
