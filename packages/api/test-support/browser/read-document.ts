import { parseHTML } from 'linkedom';

/** Parses a page, so that a test asks for an element at a place instead of searching the text. */
export const readDocument = (html: string): Document => parseHTML(html).document;

/** As a person reads it: line breaks and indentation of the source are single spaces. */
const visibleText = (element: Element) => element.textContent.replace(/\s+/g, ' ').trim();

/** The text of the first element that matches. */
export const textOf = (root: ParentNode, selector: string): string | undefined =>
  textsOf(root, selector)[0];

/** The text of each element that matches, in the order of the page. */
export const textsOf = (root: ParentNode, selector: string): string[] =>
  [...root.querySelectorAll(selector)].map(visibleText);

/** The attribute of each element that matches and has it, in the order of the page. */
export const attributesOf = (root: ParentNode, selector: string, name: string): string[] =>
  [...root.querySelectorAll(selector)].flatMap((element) => element.getAttribute(name) ?? []);

/** Every term of the definition lists with its text. */
export const definitionsOf = (root: ParentNode): [term: string, text: string][] =>
  [...root.querySelectorAll('dt + dd')].map((text) => [
    visibleText(text.previousElementSibling!),
    visibleText(text),
  ]);

/** The elements with a script, a style or an event handler of their own, which no policy of our pages allows. */
export const inlineCodeIn = (root: ParentNode): string[] =>
  [...root.querySelectorAll('*')]
    .filter(
      (element) =>
        element.matches('script:not([src]), style, [style]') ||
        element.getAttributeNames().some((name) => name.startsWith('on')),
    )
    .map(({ outerHTML }) => outerHTML);

/** The rows of a table as the texts of their cells. */
export const readRows = (root: ParentNode): string[][] =>
  [...root.querySelectorAll('tr')].map((row) => textsOf(row, 'th, td'));
