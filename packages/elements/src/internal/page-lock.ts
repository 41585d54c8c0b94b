/** Keeps the page behind a dialog from scrolling, and from moving when its scroll bar goes. */
export class PageLock {
  static #locks = 0;
  static #before: readonly [name: string, value: string, priority: string][] = [];
  #locked = false;

  lock() {
    if (this.#locked) return;
    this.#locked = true;
    if (PageLock.#locks++) return;
    const { style, clientWidth } = document.documentElement;
    const bar = innerWidth - clientWidth;
    PageLock.#before = ['overflow', 'padding-inline-end'].map((name) => [
      name,
      style.getPropertyValue(name),
      style.getPropertyPriority(name),
    ]);
    style.setProperty('overflow', 'hidden', 'important');
    if (bar > 0) style.setProperty('padding-inline-end', `${bar}px`, 'important');
  }

  unlock() {
    if (!this.#locked) return;
    this.#locked = false;
    if (--PageLock.#locks) return;
    const { style } = document.documentElement;
    for (const [name, value, priority] of PageLock.#before) {
      style.setProperty(name, value, priority);
    }
  }
}
