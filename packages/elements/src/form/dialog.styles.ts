import { css } from 'lit';

/** Styles of the form's dialog; loaded with `dialog.ts`. */
export const dialogStyles = css`
  :host([display='button']) {
    container-type: normal;
  }
  :host([display='sticky']) > .primary {
    position: fixed;
    inset-block-end: calc(16px + env(safe-area-inset-bottom));
    inset-inline-end: calc(16px + max(env(safe-area-inset-left), env(safe-area-inset-right)));
    z-index: 9999;
    box-shadow: 0 6px 24px #0004;
  }
  .primary {
    user-select: none;
  }
  .primary:hover {
    background: color-mix(in oklab, var(--_primary) 94%, #000);
  }
  .primary:focus-visible {
    outline: 2px solid var(--_ink);
    outline-offset: 3px;
  }
  @media print {
    :host([display='sticky']) > .primary {
      display: none;
    }
  }
  dialog {
    inset: 0;
    inline-size: min(100% - 24px, max(30rem, 480px));
    max-inline-size: none;
    max-block-size: calc(100dvb - 24px);
    margin: auto;
    padding: 0;
    border: 0;
    border-radius: calc(var(--_radius) * 1.6);
    background: var(--_background);
    color: inherit;
    overflow: auto;
    overscroll-behavior: contain;
    scroll-padding-block-start: 56px;
    container-type: inline-size;
    box-shadow: 0 24px 80px #0006;
    text-align: start;
  }
  dialog[open] {
    animation: rise 0.18s ease-out;
  }
  dialog::backdrop {
    background: #10161a99;
  }
  /* Below a bank's 3-D Secure page, which Stripe shows above everything that is not modal. */
  dialog.behind {
    position: fixed;
    z-index: 2147483000;
  }
  dialog .frame {
    --_top: 0px;
    border: 0;
  }
  dialog .test {
    border-radius: 0;
  }
  /* Content scrolls below this bar. Without the bar, the close button would cover fields. */
  .bar {
    position: sticky;
    inset-block-start: 0;
    z-index: 1;
    display: flex;
    justify-content: end;
    padding: 4px;
    background: var(--_background);
  }
  .close {
    display: grid;
    place-items: center;
    inline-size: 44px;
    block-size: 44px;
    padding: 0;
    border: 0;
    border-radius: 50%;
    background: transparent;
  }
  .close:hover {
    background: var(--_fill);
  }
  .close:focus-visible {
    outline: 2px solid var(--_ink);
    outline-offset: -2px;
  }
  .close svg {
    inline-size: 20px;
    block-size: 20px;
  }
  @keyframes rise {
    from {
      opacity: 0;
      translate: 0 12px;
    }
  }
  @media (forced-colors: active) {
    dialog {
      border: 1px solid CanvasText;
    }
  }
`;
