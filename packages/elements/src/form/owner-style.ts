/** The prefix of the documented custom properties, the only ones that the owner of a form may set. */
const DOCUMENTED_PREFIX = '--connect-';

/**
 * Writes the owner's custom properties to a style sheet of the element.
 *
 * They are set one by one through the CSSOM, so that no text from the server becomes part of the element's
 * style sheet: it could contain other properties, and rules for other parts of the form.
 *
 * @param declarations CSS declarations: `--connect-color-primary: #0b6b5b`
 * @param sheet a style sheet of the element's shadow root
 */
export function applyOwnerStyle(declarations: string, sheet: CSSStyleSheet): void {
  const declared = firstRule(declarations, new CSSStyleSheet());
  const { style } = firstRule('', sheet);
  for (const name of [...declared.style].filter((each) => each.startsWith(DOCUMENTED_PREFIX)))
    style.setProperty(name, declared.style.getPropertyValue(name));
}

function firstRule(declarations: string, sheet: CSSStyleSheet): CSSStyleRule {
  sheet.replaceSync(`:host{${declarations}}`);
  return sheet.cssRules[0] as CSSStyleRule;
}
