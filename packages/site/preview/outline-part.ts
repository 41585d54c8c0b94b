const sheet = new CSSStyleSheet();
document.adoptedStyleSheets.push(sheet);

/** Outlines a part of the element, to show which one it is. */
export function outlinePart(canvas: HTMLElement, tag: string, part: string | undefined): void {
  sheet.replaceSync(
    part
      ? `${tag}::part(${CSS.escape(part)}) { outline: 3px dashed #d0427f; outline-offset: 2px }`
      : '',
  );
  canvas.dataset['part'] = part ?? '';
}
