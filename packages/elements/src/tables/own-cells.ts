import type { Resource } from './table-element.ts';

/** Attributes through which a text could run: they take addresses of the web only. */
const ADDRESS = /^(href|src|action|formaction|xlink:href)$/;
const PLACE = /\{\{\s*(\w+)\s*\}\}/g;

/**
 * Cells that the page supplies in plain HTML: `<template slot="cell:amount">`.
 *
 * `{{donor_name}}` in a text or an attribute becomes that field, as text: what a donor typed is
 * never read as HTML, and never becomes an address that runs.
 */
export function ownCells<Row extends Resource>(table: Element) {
  const templates = table.querySelectorAll<HTMLTemplateElement>(':scope>template[slot^="cell:"]');
  if (!templates.length) return undefined;
  return new Map(
    [...templates].map((template) => [
      template.slot.slice(5),
      (row: Row) => fill(template, row as unknown as Record<string, unknown>),
    ]),
  );
}

function fill(template: HTMLTemplateElement, row: Record<string, unknown>): Node {
  const cell = document.createElement('span');
  cell.append(template.content.cloneNode(true));
  const written = (text: string) => text.replace(PLACE, (_, name: string) => `${row[name] ?? ''}`);
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof Text) node.data = written(node.data);
    else if (node instanceof Element) fillAttributes(node, written);
  }
  return cell;
}

function fillAttributes(element: Element, written: (text: string) => string) {
  for (const { name, value } of [...element.attributes]) {
    if (!value.includes('{{')) continue;
    const text = written(value);
    const runs = name.startsWith('on') || name === 'srcdoc' || name === 'style';
    if (runs || (ADDRESS.test(name) && !isSafe(text))) element.removeAttribute(name);
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
