/** The public fields of an intent, as the browser scripts that replace Stripe.js use them. */
export type Intent = {
  id: string;
  object: string;
  /** Absent on a setup intent. */
  amount?: number;
  currency?: string;
  client_secret: string;
  status: string;
  setup_future_usage?: string | null;
  next_action: {
    use_stripe_sdk?: { stripe_js?: string };
    redirect_to_url?: { url: string };
  } | null;
};

/** Stripe's error object, as the page receives it. */
export type ApiError = {
  type: string;
  message: string;
  code?: string;
  payment_intent?: Intent;
  setup_intent?: Intent;
};

/** Result of a request, as in Stripe.js: an intent under the name of its kind, or an error. */
export type Result = { paymentIntent?: Intent; setupIntent?: Intent; error?: ApiError };

export const intentIn = ({ paymentIntent, setupIntent }: Result) => paymentIntent ?? setupIntent;

/** Credentials of a request: publishable key and connected account. */
export type Owner = { key: string; account?: string | undefined };

/** Nested form fields; undefined values are not sent. */
export type Fields = { [name: string]: string | boolean | undefined | Fields };

const UNREACHABLE: ApiError = {
  type: 'api_connection_error',
  message: 'The connection to the card processor failed. Check your connection and try again.',
};

export const retrieveIntent = (base: string, owner: Owner, clientSecret: string) =>
  sendRequest(
    owner,
    `${intentUrl(base, clientSecret)}?${encodeForm({ client_secret: clientSecret })}`,
  );

export const confirmIntent = (base: string, owner: Owner, clientSecret: string, fields: Fields) =>
  sendRequest(owner, `${intentUrl(base, clientSecret)}/confirm`, {
    ...fields,
    client_secret: clientSecret,
  });

export const authenticateIntent = (
  base: string,
  owner: Owner,
  clientSecret: string,
  outcome: string,
) =>
  sendRequest(owner, `${intentUrl(base, clientSecret)}/authenticate`, {
    client_secret: clientSecret,
    outcome,
  });

/**
 * Derives the URL of an intent: `pi_1_secret_2` belongs to `pi_1`, `seti_1_secret_2` to `seti_1`.
 */
function intentUrl(base: string, clientSecret: string) {
  const id = clientSecret.split('_secret_')[0] ?? '';
  const kind = isSetupSecret(id) ? 'setup_intents' : 'payment_intents';
  return `${base}/v1/${kind}/${encodeURIComponent(id)}`;
}

export const isSetupSecret = (secret: string) => secret.startsWith('seti_');

async function sendRequest({ key, account }: Owner, url: string, fields?: Fields): Promise<Result> {
  const headers = new Headers({ authorization: `Bearer ${key}` });
  if (account) headers.set('stripe-account', account);
  try {
    const response = await fetch(url, {
      headers,
      ...(fields && { method: 'POST', body: encodeForm(fields) }),
      credentials: 'omit',
    });
    const body = (await response.json()) as Intent & { error: ApiError };
    if (!response.ok) return { error: body.error };
    return body.object === 'setup_intent' ? { setupIntent: body } : { paymentIntent: body };
  } catch {
    return { error: UNREACHABLE };
  }
}

/** Encodes nested fields as in Stripe's API: `{ card: { cvc: '1' } }` → `card[cvc]=1` */
function encodeForm(fields: Fields): URLSearchParams {
  const params = new URLSearchParams();
  const add = (name: string, value: Fields[string]) => {
    if (value === undefined || value === null) return;
    if (typeof value !== 'object') return params.append(name, String(value));
    for (const [key, inner] of Object.entries(value)) add(`${name}[${key}]`, inner);
  };
  for (const [name, value] of Object.entries(fields)) add(name, value);
  return params;
}
