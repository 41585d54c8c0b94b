import type { ReactiveController } from 'lit';
import type { ThemedHost } from './page-theme.ts';

/**
 * Sets the `color-scheme` of an element with `theme="auto"` from the page behind it.
 *
 * Many pages have their own dark mode, switched by a class or attribute of the root element,
 * independent of the system's setting. So this looks at the ancestors: a `color-scheme` that is
 * only light or only dark, else the first opaque background color. If there is neither, the
 * system's setting applies.
 */
export class PageColorScheme implements ReactiveController {
  readonly #host: ThemedHost;
  readonly #attributeObserver = new MutationObserver(() => this.#updateLater());
  #sheet: CSSStyleSheet | undefined;
  #isFollowing = false;
  #scheme: 'light' | 'dark' | undefined;
  #frame = 0;

  constructor(host: ThemedHost) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected() {
    if (this.#host.theme === 'auto') this.#follow();
  }

  hostUpdated() {
    const isAuto = this.#host.theme === 'auto' && this.#host.isConnected;
    if (isAuto && !this.#isFollowing) this.#follow();
    else if (!isAuto) this.#unfollow();
  }

  hostDisconnected() {
    this.#unfollow();
  }

  #follow() {
    this.#isFollowing = true;
    for (const element of ancestorsOf(this.#host)) {
      this.#attributeObserver.observe(element, { attributes: true });
    }
    // The page may animate the change of its colors.
    document.addEventListener('transitionend', this.#updateLater);
    this.#update();
  }

  #unfollow() {
    this.#isFollowing = false;
    this.#attributeObserver.disconnect();
    document.removeEventListener('transitionend', this.#updateLater);
    cancelAnimationFrame(this.#frame);
  }

  /** At most once per animation frame, because some pages animate their background. */
  readonly #updateLater = () => {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#update());
  };

  #update() {
    const scheme = findColorScheme(this.#host);
    if (scheme === this.#scheme) return;
    this.#scheme = scheme;
    if (!this.#sheet) {
      this.#sheet = new CSSStyleSheet();
      this.#host.shadowRoot!.adoptedStyleSheets.push(this.#sheet);
    }
    this.#sheet.replaceSync(scheme ? `:host([theme='auto']){color-scheme:${scheme}}` : '');
  }
}

function findColorScheme(host: Element): 'light' | 'dark' | undefined {
  const ancestors = ancestorsOf(host);
  const declaredScheme =
    ancestors[0] && getComputedStyle(ancestors[0]).colorScheme.replace('only', '').trim();
  if (declaredScheme === 'light' || declaredScheme === 'dark') return declaredScheme;
  for (const element of ancestors) {
    const { backgroundColor, backgroundImage } = getComputedStyle(element);
    const [red, green, blue, alpha] = pixelOf(backgroundColor);
    if (alpha > 127) return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 110 ? 'dark' : 'light';
    if (backgroundImage !== 'none') return undefined; // The brightness of an image is unknown.
  }
  return undefined;
}

/** Parents and shadow hosts, from the nearest to the root of the page. */
function ancestorsOf(host: Element): Element[] {
  const found: Element[] = [];
  for (let at: Element | undefined = host; at;) {
    at = at.assignedSlot ?? at.parentElement ?? (at.getRootNode() as Partial<ShadowRoot>).host;
    if (at) found.push(at);
  }
  return found;
}

let context: OffscreenCanvasRenderingContext2D | null | undefined;

/** Converts any CSS color to red, green, blue and alpha, each from 0 to 255. */
function pixelOf(color: string): [number, number, number, number] {
  context ??= new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (!context) return [0, 0, 0, 0];
  context.clearRect(0, 0, 1, 1);
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, alpha];
}
