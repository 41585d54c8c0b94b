/**
 * The donation form that the element's speed is compared with, as an author would write it for one
 * page: one script that requests the form's data and writes the form with `innerHTML`.
 *
 * It shows what the element shows, in a shadow root: heading, amounts, another amount, name, email,
 * the outline of the card fields and the button. It has no other language, no placeholder, no errors
 * and no behavior.
 */
export const HAND_WRITTEN_FORM = `
const STYLES = \`
  :host { display: block; container-type: inline-size; max-inline-size: 480px; line-height: 1.5;
    --primary: light-dark(#0b6b5b, #6ad6bd); --edge: #7b8083; --muted: #565c60 }
  * { box-sizing: border-box }
  .frame { display: grid; gap: 20px; padding: 28px 24px 24px; border: 1px solid #d8dadb; border-radius: 16px }
  h2 { margin: 0; font-size: 1.375em; line-height: 1.25; font-weight: 600; text-wrap: balance }
  p { margin: 0; color: var(--muted) }
  form, fieldset, .field { display: grid; gap: 12px; margin: 0; padding: 0; border: 0; min-inline-size: 0 }
  form { gap: 20px }
  .field { gap: 6px }
  legend { padding: 0; margin-block-end: 8px; font-weight: 600 }
  .hint, .field label, .fine { font-size: .875em }
  .field label { font-weight: 600 }
  .presets { display: grid; grid-template-columns: repeat(auto-fit, minmax(max(22%, 80px), 1fr)); gap: 8px }
  .preset { position: relative; display: grid }
  .preset input { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; margin: 0; opacity: 0 }
  .preset span { display: grid; place-items: center; min-block-size: 48px; border: 1px solid var(--edge);
    border-radius: 10px; font-weight: 600; font-variant-numeric: tabular-nums }
  .preset input:checked + span { border-color: var(--primary); box-shadow: inset 0 0 0 1px var(--primary);
    background: color-mix(in oklab, var(--primary) 9%, #fff); color: var(--primary) }
  .control { display: flex; align-items: center; min-block-size: 48px; border: 1px solid var(--edge); border-radius: 10px }
  .control input { flex: 1; align-self: stretch; min-inline-size: 0; padding: 4px 12px; border: 0; border-radius: inherit;
    background: transparent; font: inherit; font-size: max(16px, 1em) }
  .control span { padding-inline: 12px; color: var(--muted) }
  .card { display: grid; grid-template-columns: 1fr 1fr; gap: 14px 12px; min-block-size: 208px; align-content: start;
    color: var(--muted); font-size: .875em }
  .card span::after { display: block; block-size: 44px; margin-block-start: 5px; border: 1px solid #d8dadb;
    border-radius: 10px; content: '' }
  .card :first-child { grid-column: 1 / -1 }
  button { min-block-size: 54px; border: 0; border-radius: 10px; background: var(--primary); color: #fff; font: inherit;
    font-weight: 600 }
\`;
const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'usd', maximumFractionDigits: 0 });
const format = (cents) => money.format(cents / 100);
const escape = (text) => text.replace(/[&<"]/g, (sign) => '&#' + sign.charCodeAt() + ';');
const field = (name, label, type) => \`<div class="field"><label for="\${name}">\${label} <small>(required)</small></label>
  <div class="control"><input id="\${name}" name="\${name}" type="\${type}" required autocomplete="\${name}"></div></div>\`;
const response = await fetch(new URL('embed-form', import.meta.url));
const form = await response.json();
const { preset_amounts_cents: presets, default_amount_cents: chosen, min_amount_cents: min } = form.terms;
const host = document.querySelector('hand-written-form');
const root = host.attachShadow({ mode: 'open' });
const sheet = new CSSStyleSheet();
sheet.replaceSync(STYLES);
root.adoptedStyleSheets = [sheet];
root.innerHTML = \`<section class="frame" aria-labelledby="title">
  <header><h2 id="title">Support \${escape(form.organization.name)}</h2><p>\${escape(form.campaign_name)}</p></header>
  <form novalidate aria-labelledby="title">
    <fieldset><legend>Amount</legend>
      <div class="presets">\${presets.map((cents) => \`<label class="preset"><input type="radio" name="amount"
        value="\${cents}" \${cents === chosen ? 'checked' : ''}><span>\${format(cents)}</span></label>\`).join('')}</div>
      <div class="field"><label for="other">Other amount</label><div class="control"><span>$</span>
        <input id="other" name="other" inputmode="decimal" autocomplete="transaction-amount"></div></div>
      <p class="hint">Any amount from \${format(min)}.</p></fieldset>
    <fieldset><legend>Your details</legend>\${field('name', 'Name', 'text')}\${field('email', 'Email', 'email')}</fieldset>
    <fieldset><legend>Card</legend><div class="card"><span>Card number</span><span>Expiration date</span>
      <span>Security code</span></div></fieldset>
    <button>Give \${format(chosen)}</button>
    <p class="fine">Payment details go directly to our payment provider, never to this website.</p>
  </form></section>\`;
dispatchEvent(new Event('connect-ready'));
`;
