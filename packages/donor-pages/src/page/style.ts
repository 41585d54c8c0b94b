/** The style sheet of all pages of donors. Its tokens are those of `packages/api/src/http/page-shell.css`. */
export const STYLE = `
  :root {
    --primary: light-dark(#0b6b5b, #6ad6bd);
    --ground: light-dark(#f3f5f4, #0e1113);
    --background: light-dark(#fff, #171b1f);
    --text: light-dark(#1c2328, #eef2f4);
    --muted: light-dark(#555b60, #adb1b4);
    --line: light-dark(#dfe0e1, #353a3d);
    --on-primary: light-dark(#fff, #06251f);
    --accent: var(--form-accent, var(--primary));
    font: 16px/1.5 system-ui, sans-serif;
    color: var(--text);
    background: var(--ground);
    -webkit-text-size-adjust: 100%;
  }
  * { box-sizing: border-box }
  body {
    margin: 0;
    min-block-size: 100dvb;
    display: grid;
    grid-template-rows: auto 1fr auto;
    border-block-start: 4px solid var(--accent);
    box-shadow: inset 0 20rem 18rem -18rem color-mix(in oklab, var(--accent) 14%, transparent);
    overflow-wrap: anywhere;
  }
  h1, h2, p, ul { margin: 0; padding: 0 }
  /* Only for screen readers. */
  .hidden {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  a { color: var(--primary); text-underline-offset: 0.2em }
  :focus-visible { outline: 2px solid var(--primary); outline-offset: 3px; border-radius: 4px }
  header, main, footer {
    inline-size: min(100%, 72rem);
    margin-inline: auto;
    padding-inline: clamp(16px, 4vw, 48px);
  }
  header { padding-block: 36px 0 }
  /* One column, in which the name of the organization is above the form. */
  .narrow :is(header, main, footer) { inline-size: min(100%, 30rem + 2 * clamp(16px, 4vw, 48px)) }
  .narrow header { text-align: center }
  .narrow .brand { text-align: start }
  .narrow footer { justify-content: center; text-align: center }
  .narrow footer ul { justify-content: center }
  .brand {
    display: inline-flex;
    align-items: center;
    gap: 14px;
    max-inline-size: 100%;
    font-size: 1.0625rem;
    font-weight: 650;
    line-height: 1.3;
    color: inherit;
    text-decoration: none;
  }
  a.brand:hover .name { text-decoration: underline }
  h1.name { font: inherit; letter-spacing: inherit }
  .muted { color: var(--muted); text-wrap: pretty }
  /* The height is fixed, so that loading the logo does not shift the page. Most logos are made for a white ground. */
  .logo {
    flex: none;
    max-inline-size: 168px;
    block-size: 56px;
    padding: 4px;
    object-fit: contain;
    object-position: left;
    background: light-dark(transparent, #fff);
    border-radius: 8px;
  }
  [dir='rtl'] .logo { object-position: right }
  .initial {
    flex: none;
    display: grid;
    place-items: center;
    inline-size: 2.75rem;
    block-size: 2.75rem;
    border-radius: 13px;
    font-size: 1.375rem;
    color: var(--on-primary);
    background: var(--primary);
  }
  main {
    display: grid;
    align-content: start;
    justify-content: center;
    grid-template-columns: minmax(0, 30rem);
    gap: 28px;
    padding-block: clamp(24px, 5vb, 56px) 56px;
  }
  .about { display: grid; gap: 16px; align-content: start }
  /* Without a height of its own, the box has the shape of the picture before it is loaded. */
  .picture {
    inline-size: 100%;
    block-size: auto;
    max-block-size: clamp(9.5rem, 32vw, 15rem);
    margin-block-end: 4px;
    object-fit: cover;
    border-radius: 20px;
    background: var(--line);
  }
  h1 {
    font-size: clamp(1.625rem, 1.2rem + 2vw, 2.25rem);
    font-weight: 700;
    line-height: 1.18;
    letter-spacing: -0.02em;
    text-wrap: balance;
  }
  h2 { font-size: 1.0625rem; font-weight: 650 }
  .about p { font-size: 1.0625rem; line-height: 1.6; color: var(--muted); text-wrap: pretty }
  .more { display: grid; gap: 32px; align-content: start }
  .story { display: grid; gap: 1em; font-size: 1.0625rem; line-height: 1.65; text-wrap: pretty }
  .story p { white-space: pre-line }
  .trust { display: grid; gap: 4px; font-size: 0.9375rem }
  .trust h2 { font-size: inherit }
  .trust p { color: var(--muted) }
  .trust ul { display: flex; flex-wrap: wrap; gap: 0 24px }
  /* The goal stands beside the form, or in it, and without its card. */
  connect-goal { display: none }
  connect-goal::part(frame) { gap: 10px; padding: 0; border: 0; background: none }
  connect-goal::part(amount) { min-block-size: 1.3em; font-size: 1.75rem; line-height: 1.3 }
  connect-goal::part(description) { color: var(--muted) }
  connect-goal::part(meter) { border-color: transparent; background: var(--line) }
  .note {
    display: grid;
    gap: 14px;
    padding: 28px;
    background: var(--background);
    border: 1px solid var(--line);
    border-radius: 16px;
  }
  .note h1 { font-size: 1.5rem }
  .note * + h2 { margin-block-start: 10px }
  ul { display: grid; gap: 4px; list-style: none }
  li a { display: inline-block; padding-block: 6px }
  connect-donate { display: block }
  /* Reserves the height of the form, so that loading it does not shift the footer. */
  connect-donate:not(:defined) { min-block-size: 71rem }
  /* Visible only if the script does not load: the element hides its content. */
  .late { animation: appear 0s 8s both }
  @keyframes appear { from { visibility: hidden } }
  footer {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 8px 32px;
    padding-block: 20px 32px;
    font-size: 0.875rem;
    color: var(--muted);
  }
  footer::before {
    content: '';
    flex-basis: 100%;
    border-block-start: 1px solid var(--line);
    margin-block-end: 12px;
  }
  footer ul { display: flex; flex-wrap: wrap; gap: 4px 24px }
  footer li a { padding-block: 2px }
  /* In a frame: the height of the content, and no visible heading, because the site has its own. */
  .framed { min-block-size: 0; border: 0; box-shadow: none }
  .framed :is(main, footer) { inline-size: 100%; padding: 0 }
  .framed main { grid-template-columns: minmax(0, 1fr) }
  .framed header { position: absolute; clip-path: inset(50%) }
  .framed footer { justify-content: center; padding-block-end: 16px; text-align: center }
  .framed footer::before { content: none }
  .framed connect-donate { margin-inline: auto }
  /* In the preview of a form that is not part of the page: its button or link. */
  .framed main:has([display]:not([display='inline'])) { padding: 24px 16px 0 }
  @media (scripting: none) { connect-donate { display: none } }
  @media (min-width: 60rem) {
    .wide main {
      /* With larger text, the form leaves room for its neighbor. */
      grid-template-columns: minmax(0, 1fr) minmax(0, min(30rem, 56%));
      grid-template-rows: auto 1fr;
      gap: 32px clamp(40px, 7vw, 96px);
    }
    .wide main > section { grid-area: 1 / 2 / 3 }
    .wide .about { gap: 20px }
    .wide .about p { font-size: 1.1875rem }
    .wide h1 { font-size: clamp(2.125rem, 0.5rem + 2.8vw, 2.75rem) }
    .picture { max-block-size: 25rem }
    connect-goal { display: block; max-inline-size: none; min-block-size: 5.3rem }
    connect-donate::part(goal) { display: none }
    .trust { padding-block-start: 24px; border-block-start: 1px solid var(--line) }
  }
  @media (width < 60rem) {
    .usual {
      position: absolute;
      inline-size: 1px;
      block-size: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
    .wide :is(header, main, footer) { inline-size: min(100%, 30rem + 2 * clamp(16px, 4vw, 48px)) }
  }
  @media (max-width: 26rem) {
    header, main, footer { padding-inline: 12px }
    header { padding-block-start: 24px }
    .note { padding: 24px 20px }
    connect-donate:not(:defined) { min-block-size: 74rem }
  }
  @media (forced-colors: active) { .initial { border: 2px solid CanvasText } }
  @media print { body { border: 0; box-shadow: none } footer { display: none } }
`;
