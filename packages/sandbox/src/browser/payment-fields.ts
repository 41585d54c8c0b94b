/**
 * Script in the frame of the simulated payment fields. It is the only script with access to the numbers of cards and
 * bank accounts.
 */
import type { ApiError, Fields, Owner, Result } from './api.ts';
import { confirmIntent, intentIn, retrieveIntent } from './api.ts';
import { type Appearance, applyAppearance, directionOf } from './appearance.ts';
import { type ExpectedIntent, findIntentMismatch } from './expected-intent.ts';
import { openParentChannel } from './frame-channel.ts';
import type { BillingName } from './method-form.ts';
import { PaymentForm } from './payment-form.ts';

type SetupMessage = {
  appearance: Appearance;
  locale?: string;
  methods: string[];
  /** What the form of a bank debit asks the donor for. */
  asked: BillingName[];
};
type ConfirmMessage = {
  owner: Owner;
  clientSecret: string;
  params: { payment_method_data?: Fields; return_url?: string };
  expected: ExpectedIntent;
};

const form = new PaymentForm(document.body, () => channel.post('change', form.state));
let isSetUp = false;

const channel = openParentChannel((name, data) => {
  switch (name) {
    case 'setup':
      return setUp(data as SetupMessage);
    case 'submit':
      return submit();
    case 'confirm':
      return confirm(data as ConfirmMessage);
    case 'focus':
      return form.focus();
  }
  return undefined;
});

new ResizeObserver(() => {
  channel.post('size', Math.ceil(document.body.getBoundingClientRect().height));
}).observe(document.body);

document.addEventListener('keydown', ({ key }) => {
  if (key === 'Enter') channel.post('enter');
  if (key === 'Escape') channel.post('escape');
});
channel.post('hello');

function setUp({ appearance, locale, methods, asked }: SetupMessage) {
  document.documentElement.dir = directionOf(locale);
  channel.post('scheme', applyAppearance(appearance));
  form.offer(methods, asked);
  if (isSetUp) return;
  isSetUp = true;
  channel.post('ready');
}

function submit(): { error: ApiError } | { selectedPaymentMethod: string } {
  const error = form.validate();
  return error ? { error } : { selectedPaymentMethod: form.selected };
}

async function confirm({ owner, clientSecret, params, expected }: ConfirmMessage): Promise<Result> {
  const error = form.validate();
  if (error) return { error };
  const retrieved = await retrieveIntent(location.origin, owner, clientSecret);
  const intent = intentIn(retrieved);
  if (!intent) return retrieved;
  const mismatch = findIntentMismatch(expected, intent);
  if (mismatch) return { error: mismatch };
  const { payment_method_data = {}, return_url } = params;
  const billing_details = {
    ...form.readBillingDetails(),
    ...(payment_method_data['billing_details'] as Fields | undefined),
  };
  const result = await confirmIntent(location.origin, owner, clientSecret, {
    payment_method_data: { ...payment_method_data, ...form.read(), billing_details },
    return_url,
    use_stripe_sdk: true,
  });
  if (result.error) form.showProcessorError(result.error);
  return result;
}
