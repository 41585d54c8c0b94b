/* Page for another payment method of a subscription: mounts Stripe's fields, submits the setup intent. */
const form = document.getElementById('card-form');
const problem = document.getElementById('problem');
const button = form.querySelector('button');
const hint = document.getElementById('hint');
const { key, account, script, setup, locale, currency } = form.dataset;
const { blocked, failed, unverified } = form.dataset;
const methods = form.dataset.methods.split(' ');
/* Name and email of the donor, as far as they are known. Stripe's fields ask for the rest, if a mandate needs it. */
const billing_details = JSON.parse(form.dataset.billing);
/* When the money of a bank debit arrives, by payment method. */
const hints = JSON.parse(form.dataset.hints);
const never = Object.fromEntries(Object.keys(billing_details).map((name) => [name, 'never']));

const showProblem = (text) => {
  problem.textContent = text;
  problem.hidden = !text;
};

/* A disabled button would lose the focus. */
const setBusy = (isBusy) => {
  button.setAttribute('aria-disabled', String(isBusy));
  form.setAttribute('aria-busy', String(isBusy));
};

const loadStripe = () =>
  new Promise((resolve, reject) => {
    const tag = document.createElement('script');
    tag.src = script;
    tag.onload = () => (window.Stripe ? resolve(window.Stripe) : reject(new Error('no Stripe')));
    tag.onerror = () => reject(new Error('blocked'));
    document.head.append(tag);
  });

/* The page's colors, as far as Stripe's fields support them. */
const appearance = () => {
  const style = getComputedStyle(form);
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const { color, fontFamily } = style;
  const { backgroundColor: colorPrimary } = getComputedStyle(button);
  const variables = { colorPrimary, colorText: color, fontFamily, borderRadius: '10px' };
  return { theme: dark ? 'night' : 'stripe', variables };
};

async function mountCardForm() {
  const Stripe = await loadStripe();
  const stripe = Stripe(key, { stripeAccount: account || undefined, locale });
  const elements = stripe.elements({
    mode: 'setup',
    currency,
    allowedPaymentMethodTypes: methods,
    paymentMethodOptions: JSON.parse(form.dataset.options),
    appearance: appearance(),
  });
  const field = elements.create('payment', {
    fields: { billingDetails: never },
    paymentMethodOrder: methods,
  });
  await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('late')), 20_000);
    field.on('ready', () => (clearTimeout(timer), resolve()));
    field.on('loaderror', () => (clearTimeout(timer), reject(new Error('loaderror'))));
    field.mount('#card');
  });
  field.on('change', ({ value }) => (hint.textContent = hints[value.type] ?? ''));
  return { stripe, elements };
}

async function saveCard({ stripe, elements }) {
  const { error } = await elements.submit();
  if (error) return undefined; // Stripe's fields show what is missing.
  const response = await fetch(setup, { method: 'POST' });
  if (!response.ok) throw new Error(`${response.status}`);
  const { client_secret: clientSecret } = await response.json();
  const return_url = new URL(form.dataset.return, location.href).href;
  const confirmed = await stripe.confirmSetup({
    elements,
    clientSecret,
    confirmParams: { return_url, payment_method_data: { billing_details } },
    redirect: 'if_required',
  });
  if (!confirmed.error) return confirmed.setupIntent.id;
  // Stripe translates what it says about the donor's input; other errors are English, for developers.
  const { type, code, message } = confirmed.error;
  if (code === 'setup_intent_authentication_failure') showProblem(unverified);
  else showProblem(['card_error', 'validation_error'].includes(type) ? message : failed);
  return undefined;
}

mountCardForm().then(
  (mounted) => {
    button.disabled = false;
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (form.ariaBusy === 'true') return;
      setBusy(true);
      showProblem('');
      try {
        form.elements.setup_intent.value = (await saveCard(mounted)) ?? '';
        if (form.elements.setup_intent.value) return void form.submit();
      } catch {
        showProblem(failed);
      }
      setBusy(false);
    });
  },
  () => showProblem(blocked),
);
