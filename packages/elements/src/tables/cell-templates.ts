import type { TableHost } from './table-host.ts';
import type { CellRenderer, Resource } from './column.ts';
import { messages } from './table-messages.ts';

/**
 * Attributes that may contain a `javascript:` URL. Only http, https, mailto and tel URLs are allowed in
 * them.
 */
const URL_ATTRIBUTES = /^(href|src|action|formaction|xlink:href)$/;
/** Interactive elements. HTML allows none of them inside a `<button>`. */
const INTERACTIVE =
  'a[href],button,input,select,textarea,summary,iframe,[tabindex],[contenteditable],[controls]';
/** Elements that have an accessible name without text content. */
const LABELED = 'img[alt]:not([alt=""]),[aria-label]:not([aria-label=""]),[title]:not([title=""])';
const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g;

/**
 * Cells supplied by the host page: HTML templates (`<template slot="cell-amount">`) or functions in the
 * `renderers` property. A function takes precedence over a template for the same column.
 *
 * `{{donor_name}}` in text or in an attribute is replaced with that field of the row, as text. Values
 * typed by donors are therefore never parsed as HTML and never become executable URLs.
 *
 * @returns overrides by column, or undefined when the page supplies none
 */
export function readCellOverrides<Row extends Resource>(table: TableHost<Row>) {
  const templates = table.querySelectorAll<HTMLTemplateElement>(':scope>template[slot^="cell-"]');
  const renderers = new Map<string, (row: Row, defaultContent: () => string | Node) => Element>();
  for (const template of templates) {
    renderers.set(template.slot.slice('cell-'.length), (row) =>
      fillTemplate(template, row as unknown as Record<string, unknown>),
    );
  }
  for (const [column, renderer] of Object.entries(table.renderers ?? {})) {
    const render = catchErrors(`<${table.localName}> renderers.${column}:`, renderer);
    renderers.set(column, (row, renderDefault) => wrapInSpan(render(row) ?? renderDefault()));
  }
  if (!renderers.size) return undefined;
  return new Map(
    [...renderers].map(([column, make]) => {
      const renderCell = (row: Row, cell: Element) => {
        const renderDefault = () => table.shownColumns.find(({ id }) => id === column)!.cell(row);
        return fitIntoCell(make(row, renderDefault), cell, renderDefault);
      };
      return [column, renderCell];
    }),
  );
}

/**
 * A renderer that throws, or returns an object that is no node, such as a React element, is reported in
 * the console: once, because it may do so in every row.
 *
 * @param place start of the report
 * @returns the renderer, which returns undefined instead: the cell then shows its default content
 */
function catchErrors<Row>(place: string, renderer: CellRenderer<Row>) {
  let isReported = false;
  return (row: Row): string | Node | undefined => {
    try {
      const content: unknown = renderer(row) ?? '';
      if (content instanceof Node) return content;
      if (typeof content !== 'object') return `${content as string}`;
      throw new TypeError('must return text or a node.');
    } catch (error) {
      if (!isReported) console.error(place, error);
      isReported = true;
      return undefined;
    }
  };
}

function wrapInSpan(content: string | Node): Element {
  const cell = document.createElement('span');
  cell.append(content);
  return cell;
}

/**
 * Fits custom content into its cell. The cell that names its row contains the button that opens the
 * row's details. That button needs an accessible name and must not contain interactive elements, so
 * interactive content is moved before the button.
 *
 * @param renderDefault renders the table's default content, added where custom content has no accessible name
 * @returns the content of the cell, or of its button
 */
function fitIntoCell(
  content: Element,
  cell: Element,
  renderDefault: () => string | Node,
): string | Node {
  const button = cell.querySelector(':scope>.open');
  const isInteractive = content.matches(`:has(${INTERACTIVE})`);
  if (
    (button || isInteractive) &&
    !/\S/.test(content.textContent) &&
    !content.querySelector(LABELED)
  ) {
    (content.querySelector('a[href],button') ?? content).append(renderDefault());
  }
  if (!button || !isInteractive) return content;
  button.before(content);
  button.ariaLabel = `${messages.details}: ${content.textContent.trim()}`;
  return messages.details;
}

function fillTemplate(template: HTMLTemplateElement, row: Record<string, unknown>): Element {
  const cell = document.createElement('span');
  // Scripts put the children of a template into `content`. React and Vue append them to the <template>
  // element itself.
  const { childNodes } = template.content.hasChildNodes() ? template.content : template;
  for (const node of childNodes) cell.append(node.cloneNode(true));
  const interpolate = (text: string) =>
    text.replace(PLACEHOLDER, (_, name: string) => `${row[name] ?? ''}`);
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof Text) node.data = interpolate(node.data);
    else if (node instanceof Element) fillAttributes(node, interpolate);
  }
  return cell;
}

function fillAttributes(element: Element, interpolate: (text: string) => string) {
  for (const { name, value } of [...element.attributes]) {
    if (!value.includes('{{')) continue;
    const text = interpolate(value);
    const isExecutable = name.startsWith('on') || name === 'srcdoc' || name === 'style';
    if (isExecutable || (URL_ATTRIBUTES.test(name) && !isSafe(text))) element.removeAttribute(name);
    else element.setAttribute(name, text);
  }
}

function isSafe(address: string): boolean {
  try {
    return /^(https?|mailto|tel):$/.test(new URL(address, document.baseURI).protocol);
  } catch {
    return false;
  }
}
