/** The card fields of the sandbox's payment page. */
const CARD = { number: '4242 4242 4242 4242', expiry: '12 / 34', cvc: '123' };

/** A test card that is always declined. */
export const DECLINED_CARD = '4000 0000 0000 0002';

/** Submits the sandbox's payment page of a Checkout session, as a browser without JavaScript does. */
export const payCheckout = (url: string, number = CARD.number): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: new URL(url).origin },
    body: new URLSearchParams({ ...CARD, number }),
  });
