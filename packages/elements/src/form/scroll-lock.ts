/** Prevents the page behind a dialog from scrolling, and from shifting when its scroll bar disappears. */
export class ScrollLock {
  static #lockCount = 0;
  static #savedStyles: readonly [name: string, value: string, priority: string][] = [];
  #locked = false;

  lock() {
    if (this.#locked) return;
    this.#locked = true;
    if (ScrollLock.#lockCount++) return;
    const { style, clientWidth } = document.documentElement;
    const scrollBarWidth = innerWidth - clientWidth;
    ScrollLock.#savedStyles = ['overflow', 'padding-inline-end'].map((name) => [
      name,
      style.getPropertyValue(name),
      style.getPropertyPriority(name),
    ]);
    style.setProperty('overflow', 'hidden', 'important');
    if (scrollBarWidth > 0)
      style.setProperty('padding-inline-end', `${scrollBarWidth}px`, 'important');
  }

  unlock() {
    if (!this.#locked) return;
    this.#locked = false;
    if (--ScrollLock.#lockCount) return;
    const { style } = document.documentElement;
    for (const [name, value, priority] of ScrollLock.#savedStyles) {
      style.setProperty(name, value, priority);
    }
  }
}
