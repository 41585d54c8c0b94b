/** A style sheet that elements adopt into their shadow roots. */
export class Stylesheet {
  readonly #text: string;
  #sheet: CSSStyleSheet | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Created on first use, because a server has no style sheets. All elements share it. */
  get styleSheet(): CSSStyleSheet {
    if (!this.#sheet) (this.#sheet = new CSSStyleSheet()).replaceSync(this.#text);
    return this.#sheet;
  }

  /** The text, for use within another style sheet. */
  toString() {
    return this.#text;
  }
}

/** Template tag for the text of a style sheet. */
export const css = (strings: TemplateStringsArray, ...parts: Stylesheet[]) =>
  new Stylesheet(String.raw({ raw: strings }, ...parts));
