import type { CellRenderer, Resource, TableElement } from './table-element.ts';
import { deferredTexts as texts } from './deferred-texts.ts';

/** Attributes through which a text could run: they take addresses of the web only. */
const URL_ATTRIBUTES = /^(href|src|action|formaction|xlink:href)$/;
/** What can be pressed or written in: a button may hold nothing of it. */
const INTERACTIVE =
  'a[href],button,input,select,textarea,summary,iframe,[tabindex],[contenteditable],[controls]';
/** What says something without a text. */
const LABELED = 'img[alt]:not([alt=""]),[aria-label]:not([aria-label=""]),[title]:not([title=""])';
const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g;

/**
 * Cells that the page supplies: in plain HTML, `<template slot="cell:amount">`, or by functions, the
 * property `renderers`.
 *
 * `{{donor_name}}` in a text or an attribute becomes that field, as text: what a donor typed is
 * never read as HTML, and never becomes an address that runs.
 */
export function readCellOverrides<Row extends Resource>(table: TableElement<Row>) {
  const templates = table.querySelectorAll<HTMLTemplateElement>(':scope>template[slot^="cell:"]');
  const renderers = new Map<string, (row: Row, defaultContent: () => string | Node) => Element>();
  for (const template of templates) {
    renderers.set(template.slot.slice('cell:'.length), (row) =>
      fillTemplate(template, row as unknown as Record<string, unknown>),
    );
  }
  for (const [column, renderer] of Object.entries(table.renderers ?? {})) {
    renderers.set(column, (row, usual) => wrapInSpan(render(renderer, row, usual)));
  }
  if (!renderers.size) return undefined;
  return new Map(
    [...renderers].map(([column, make]) => {
      const usual = (row: Row) => table.shownColumns.find(({ id }) => id === column)!.cell(row);
      const own = (row: Row, cell: Element) => {
        const said = () => usual(row);
        return fitIntoCell(make(row, said), cell, said);
      };
      return [column, own];
    }),
  );
}

/** A function of the page that fails leaves its cell to the table, and says so in the console. */
function render<Row>(renderer: CellRenderer<Row>, row: Row, usual: () => string | Node) {
  try {
    return (renderer(row) as string | Node | null | undefined) ?? '';
  } catch (error) {
    console.error(error);
    return usual();
  }
}

function wrapInSpan(content: string | Node): Element {
  const cell = document.createElement('span');
  cell.append(content);
  return cell;
}

/**
 * Where a cell names its row it stands in the button that opens it, which then needs a name, and
 * which may hold nothing that is pressed by itself: that stands before it.
 *
 * @param usual what the table would say; said where the page's own says nothing
 * @returns what stands in the cell, or in its button
 */
function fitIntoCell(own: Element, cell: Element, usual: () => string | Node): string | Node {
  const button = cell.querySelector(':scope>.open');
  const acts = own.matches(`:has(${INTERACTIVE})`);
  if ((button || acts) && !/\S/.test(own.textContent) && !own.querySelector(LABELED)) {
    (own.querySelector('a[href],button') ?? own).append(usual());
  }
  if (!button || !acts) return own;
  button.before(own);
  button.ariaLabel = `${texts.details}: ${own.textContent.trim()}`;
  return texts.details;
}

function fillTemplate(template: HTMLTemplateElement, row: Record<string, unknown>): Element {
  const cell = document.createElement('span');
  // React and Vue put the children of a template beside its content, where scripts put them, too.
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

function fillAttributes(element: Element, written: (text: string) => string) {
  for (const { name, value } of [...element.attributes]) {
    if (!value.includes('{{')) continue;
    const text = written(value);
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
