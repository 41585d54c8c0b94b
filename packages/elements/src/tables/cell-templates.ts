import { render } from 'lit';
import type { CellContent, CellRenderer, Column, Resource } from './column.ts';
import type { TableElement } from './table-element.ts';

/**
 * Attributes that may contain a `javascript:` URL. Only http, https, mailto and tel URLs are allowed in
 * them.
 */
const URL_ATTRIBUTES = new Set(['href', 'src', 'data', 'action', 'formaction', 'xlink:href']);
/** Interactive elements. HTML allows none of them inside a `<button>`. */
export const INTERACTIVE =
  'a[href],button,input,select,textarea,summary,iframe,[tabindex],[contenteditable],[controls]';
/** Elements that have an accessible name without text content. */
const LABELED = 'img[alt]:not([alt=""]),[aria-label]:not([aria-label=""]),[title]:not([title=""])';
const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g;

/** A cell that the host page supplies. */
export interface CustomCell {
  content: Element;
  /**
   * Text and accessible name of the button that opens the row's details, if the content has links or
   * buttons of its own: HTML allows none inside a button, so the button follows the content.
   */
  button?: { text: string; label: string };
}

/**
 * Cells supplied by the host page: HTML templates (`<template slot="cell-amount">`) or functions in the
 * `renderers` property. A function takes precedence over a template for the same column.
 *
 * `{{donor_name}}` in text or in an attribute is replaced with that field of the row, as text. Values
 * typed by donors are therefore never parsed as HTML and never become executable URLs.
 */
export class CustomCells<Row extends Resource> {
  /** Functions by column. A function that returns undefined leaves the cell to the table. */
  readonly #renderers = new Map<string, (row: Row) => Element | undefined>();

  constructor(table: TableElement<Row>) {
    const templates = table.querySelectorAll<HTMLTemplateElement>(':scope>template[slot^="cell-"]');
    for (const template of templates) {
      this.#renderers.set(template.slot.slice('cell-'.length), (row) =>
        fillTemplate(template, row as unknown as Record<string, unknown>),
      );
    }
    for (const [column, renderer] of Object.entries(table.renderers ?? {})) {
      const place = `<${table.localName}> renderers.${column}:`;
      this.#renderers.set(column, catchErrors(place, renderer));
    }
  }

  /** Renders a cell; undefined if the page does not supply it. */
  render(column: Column<Row>, row: Row, detailsText: string): CustomCell | undefined {
    const content = this.#renderers.get(column.id)?.(row);
    if (!content) return undefined;
    const isInteractive = content.matches(`:has(${INTERACTIVE})`);
    const hasName = /\S/.test(content.textContent) || content.querySelector(LABELED);
    if ((column.isRowHeader || isInteractive) && !hasName) {
      appendContent(content.querySelector('a[href],button') ?? content, column.cell(row));
    }
    if (!column.isRowHeader || !isInteractive) return { content };
    const label = `${detailsText}: ${content.textContent.trim()}`;
    return { content, button: { text: detailsText, label } };
  }
}

function appendContent(element: Element, content: CellContent) {
  const holder = document.createElement('span');
  render(content, holder);
  element.append(holder);
}

/**
 * A renderer that throws, or returns an object that is no node, such as a React element, is reported in
 * the console: once, because it may do so in every row. The cell then shows its default content.
 *
 * @param place start of the report
 */
function catchErrors<Row>(place: string, renderer: CellRenderer<Row>) {
  let isReported = false;
  return (row: Row): Element | undefined => {
    try {
      const content: unknown = renderer(row) ?? '';
      if (typeof content === 'object' && !(content instanceof Node))
        throw new TypeError('must return text or a node.');
      const cell = document.createElement('span');
      cell.append(content instanceof Node ? content : `${content as string}`);
      return cell;
    } catch (error) {
      if (!isReported) console.error(place, error);
      isReported = true;
      return undefined;
    }
  };
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
    if (node instanceof Text) fillText(node, interpolate);
    else if (node instanceof Element) fillAttributes(node, interpolate);
  }
  return cell;
}

/** A script or style sheet of the page stays as it is, because it would run or apply with a donor's text. */
function fillText(node: Text, interpolate: (text: string) => string) {
  if (!node.parentElement?.matches('script,style')) node.data = interpolate(node.data);
}

function fillAttributes(element: Element, interpolate: (text: string) => string) {
  for (const { name, value } of [...element.attributes]) {
    if (!value.includes('{{')) continue;
    const text = interpolate(value);
    const isExecutable = name.startsWith('on') || name === 'srcdoc' || name === 'style';
    if (isExecutable || (URL_ATTRIBUTES.has(name) && !isSafe(text))) element.removeAttribute(name);
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
