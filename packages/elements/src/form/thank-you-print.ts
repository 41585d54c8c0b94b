import { html, nothing, render } from 'lit';
import {
  confirmationText,
  donationFacts,
  receiptText,
  type ThankYouContent,
} from './thank-you-view.ts';

/**
 * Prints the thank-you page without the page around it. It uses a frame that is built from nodes and a
 * constructed style sheet, which the page's Content-Security-Policy allows.
 */
export function printThankYou(thanks: ThankYouContent, direction: string) {
  const frame = document.createElement('iframe');
  // Not `hidden`: some browsers print an empty page if the frame has no layout.
  frame.style.cssText = 'position:fixed!important;inline-size:0;block-size:0;border:0;opacity:0';
  frame.ariaHidden = 'true';
  document.body.append(frame);
  const { contentDocument: page, contentWindow } = frame;
  if (!page || !contentWindow) return frame.remove();
  const window = contentWindow as Window & typeof globalThis;
  const sheet = new window.CSSStyleSheet();
  sheet.replaceSync(PRINT_STYLES);
  page.adoptedStyleSheets = [sheet];
  page.documentElement.lang = thanks.language;
  page.documentElement.dir = direction;
  page.title = thanks.organization;
  render(renderPrintPage(thanks), page.body);
  window.addEventListener('afterprint', () => frame.remove());
  window.print();
}

const renderPrintPage = (thanks: ThankYouContent) => {
  const receipt = receiptText(thanks);
  return html`<h1>${thanks.organization}</h1>
    ${thanks.testNotice ? html`<p class="test">${thanks.testNotice}</p>` : nothing}
    <p>${confirmationText(thanks)}</p>
    ${receipt ? html`<p>${receipt}</p>` : nothing}
    <dl>
      ${donationFacts(thanks).map(
        ([name, fact]) =>
          html`<div>
            <dt>${name}</dt>
            <dd><bdi>${fact}</bdi></dd>
          </div>`,
      )}
    </dl>`;
};

const PRINT_STYLES = `
  :root { font: 11pt/1.5 system-ui, sans-serif; color: #000; background: #fff; }
  body { max-inline-size: 32em; margin: 2em auto; }
  h1 { margin: 0 0 0.75em; font-size: 1.6em; line-height: 1.25; }
  p { margin: 0 0 0.5em; }
  h1, p { unicode-bidi: plaintext; text-align: -webkit-match-parent; text-align: match-parent; }
  .test { display: inline-block; padding: 0 0.6em; border: 1px solid; border-radius: 4px; font-size: 0.85em; }
  dl { margin: 1.5em 0 0; border-block: 1px solid #999; }
  div { display: flex; justify-content: space-between; gap: 2em; padding: 0.5em 0; }
  div + div { border-block-start: 1px solid #ddd; }
  dt { color: #444; }
  dd { margin: 0; font-weight: 600; text-align: end; overflow-wrap: anywhere; }
`;
