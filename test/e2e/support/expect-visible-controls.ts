import { expect, type Page } from 'playwright/test';

/**
 * A control as it is painted. A radio button is painted by the element after it, a field by its
 * box.
 */
interface PaintedControl {
  name: string;
  /** Width in pixels and color of the widest border or outline; 0 if there is none. */
  border: number;
  borderColor: string;
  outline: number;
  outlineColor: string;
  background: string;
  /** Whether the browser paints the control itself and guarantees visible colors. */
  native: boolean;
  /** Whether another element covers the center of the control. */
  covered: boolean;
}

/**
 * Returns the controls in an element, or only the focused control. This function runs in the page.
 */
const measureControls = ({ tag, focused }: { tag: string; focused: boolean }): PaintedControl[] => {
  const host = document.querySelector(tag)!;
  const root = host.shadowRoot!;
  const controls = 'input, select, textarea, button, summary, a';
  const all = [...root.querySelectorAll<HTMLElement>(controls)].filter(
    (item) => item.checkVisibility() && item.tabIndex >= 0 && !item.closest('.hidden, [inert]'),
  );
  return (focused ? all.filter((item) => item === root.activeElement) : all).map((control) => {
    const around = [
      control,
      control.nextElementSibling,
      control.closest('.control'),
      control.closest('.other'),
    ]
      .filter((item) => item !== null)
      .filter((item) => item === control || item.matches('.option > span, .control, .other'));
    const styles = around.map((item) => getComputedStyle(item));
    const of = (kind: 'border' | 'outline') =>
      styles
        .map((style) => ({
          width:
            style.getPropertyValue(`${kind}-${kind === 'border' ? 'top-' : ''}style`) === 'none'
              ? 0
              : parseFloat(
                  style.getPropertyValue(`${kind}-${kind === 'border' ? 'top-' : ''}width`),
                ),
          color: style.getPropertyValue(`${kind}-${kind === 'border' ? 'top-' : ''}color`),
        }))
        .sort((one, other) => other.width - one.width)[0]!;
    const [border, outline] = [of('border'), of('outline')];
    const { left, top, width, height } = control.getBoundingClientRect();
    const topElement = root.elementFromPoint(left + width / 2, top + height / 2);
    const isOwn =
      topElement &&
      (control.contains(topElement) || topElement.contains(control) || around.includes(topElement));
    return {
      name: control.getAttribute('name') ?? control.className ?? control.localName,
      border: border.width,
      borderColor: border.color,
      outline: outline.width,
      outlineColor: outline.color,
      background: getComputedStyle(root.querySelector('.frame')!).backgroundColor,
      native:
        /^(summary|a)$/.test(control.localName) ||
        ((control as HTMLInputElement).type === 'checkbox' && styles[0]!.opacity === '1'),
      covered: !isOwn,
    };
  });
};

/** Expects every control to have a border that differs from its background. */
export async function expectVisibleBorders(page: Page, tag: string): Promise<number> {
  const controls = await page.evaluate(measureControls, { tag, focused: false });
  for (const { name, native, border, borderColor, background } of controls) {
    if (native) continue;
    expect(border, `${name} has a border`).toBeGreaterThanOrEqual(1);
    expect(borderColor, `${name}: its border can be seen`).not.toBe(background);
  }
  return controls.length;
}

/**
 * Walks through an element with the Tab key and expects every focused control to have a visible
 * outline of at least two pixels, with no element covering it.
 *
 * @returns the number of tab stops
 */
export async function expectVisibleFocus(page: Page, tag: string): Promise<number> {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  let stops = 0;
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const [seen] = await page.evaluate(measureControls, { tag, focused: true });
    if (!seen) continue;
    stops += 1;
    expect(seen.outline, `${seen.name}: its focus is outlined`).toBeGreaterThanOrEqual(2);
    expect(seen.outlineColor, `${seen.name}: its outline can be seen`).not.toBe(seen.background);
    // The browser scrolls asynchronously.
    const covered = async () =>
      (await page.evaluate(measureControls, { tag, focused: true }))[0]?.covered ?? false;
    await expect.poll(covered, `${seen.name} is covered`).toBe(false);
  }
  return stops;
}
