import { html } from 'hono/html';

/** A web address in a text. Punctuation after it belongs to the sentence. */
const WEB_ADDRESS = /https?:\/\/[^\s<>"]+[^\s<>"'.,:;!?)\]}…»”’]/gi;

/** Renders the paragraphs of a story. An empty line begins a paragraph; web addresses become links. */
export const story = (text: string) =>
  text
    .split(/\n\s*\n/)
    .filter(Boolean)
    .map((paragraph) => html`<p dir="auto">${withLinks(paragraph)}</p>`);

function withLinks(text: string) {
  const addresses = [...text.matchAll(WEB_ADDRESS)].filter(([address]) => URL.canParse(address));
  const ends = [0, ...addresses.map(({ index, 0: address }) => index + address.length)];
  return [
    ...addresses.map(
      ({ index, 0: address }, count) =>
        html`${text.slice(ends[count], index)}<a href="${address}">${withoutScheme(address)}</a>`,
    ),
    text.slice(ends.at(-1)),
  ];
}

const withoutScheme = (address: string) => address.replace(/^https?:\/\//i, '');
