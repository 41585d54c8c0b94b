import { render } from './html.ts';
import type { Stylesheet } from './css.ts';

export interface PropertyDeclaration {
  /** Name of the attribute that sets the property, by default its lower-case name; false for none. */
  attribute?: string | false;
  /** Type of the attribute's value: by default a string. An `Object` is written as JSON. */
  type?: typeof Number | typeof Boolean | typeof Object;
  /** Also write the property to the attribute. */
  reflect?: boolean;
}

export type PropertyDeclarations = Record<string, PropertyDeclaration>;

/** The changed properties of an update, with their values before it. */
export type PropertyValues = Map<PropertyKey, unknown>;

/** Takes part in the life of an element. */
export interface ReactiveController {
  hostConnected?(): void;
  hostDisconnected?(): void;
  /** Called before the element is rendered. */
  hostUpdate?(): void;
  /** Called after the element is rendered. */
  hostUpdated?(): void;
}

export interface ReactiveControllerHost {
  readonly updateComplete: Promise<void>;
  addController(controller: ReactiveController): void;
  removeController(controller: ReactiveController): void;
  requestUpdate(): void;
}

/** A server has no elements. It renders only the tags. */
const Base = globalThis.HTMLElement ?? class {};

const attributeOf = (name: string, { attribute = name.toLowerCase() }: PropertyDeclaration) =>
  attribute;

/** The properties of a class and its base classes. */
const declaredIn = (type: typeof ConnectElement): PropertyDeclarations =>
  type.properties && {
    ...declaredIn(Object.getPrototypeOf(type) as typeof ConnectElement),
    ...type.properties,
  };

/** The value of a property for the text of its attribute. JSON that cannot be parsed is null. */
function parseAttribute(text: string | null, { type }: PropertyDeclaration): unknown {
  if (type === Boolean) return text !== null;
  if (type === Number) return text === null ? null : Number(text);
  try {
    return type === Object ? JSON.parse(text!) : text;
  } catch {
    return null;
  }
}

/**
 * Base class of the elements that are rendered with templates. When properties change, the element is
 * rendered once, in a microtask.
 *
 * It has the interface of `LitElement`, as far as the elements use it, and is much smaller:
 * docs/decisions/0114-base-class-of-the-elements.md
 */
export abstract class ConnectElement extends Base implements ReactiveControllerHost {
  static styles: readonly Stylesheet[] = [];
  /** The properties that a class adds to those of its base class. */
  static properties: PropertyDeclarations = {};

  /** Read by the browser once, when the class is registered. */
  static get observedAttributes(): string[] {
    const all = declaredIn(this);
    this.prototype.declarations = all;
    for (const name of Object.keys(all)) {
      Object.defineProperty(this.prototype, name, {
        configurable: true, // A program may read `observedAttributes` again.
        get(this: ConnectElement) {
          return this.#values.get(name);
        },
        set(this: ConnectElement, value: unknown) {
          const before = this.#values.get(name);
          if (value === before) return;
          this.#values.set(name, value);
          if (!this.#changed.has(name)) this.#changed.set(name, before);
          this.requestUpdate();
        },
      });
    }
    return Object.keys(all).flatMap((name) => attributeOf(name, all[name]!) || []);
  }

  /** The shadow root. It is created when the element is first added to a document. */
  renderRoot!: ShadowRoot;
  /** @internal The properties of the class and its base classes. It is a property of the prototype. */
  declare declarations: PropertyDeclarations;
  /** Values of properties that the page set before the element's class was loaded. */
  #earlyValues: Record<string, unknown> = {};
  readonly #controllers = new Set<ReactiveController>();
  readonly #values = new Map<string, unknown>();
  #changed: PropertyValues = new Map();
  #isUpdatePending = false;
  #isReflecting = false;
  #enableUpdates!: () => void;
  #updateComplete = new Promise<void>((resolve) => (this.#enableUpdates = resolve));

  constructor() {
    super();
    for (const name of Object.keys(this.declarations)) {
      if (!Object.hasOwn(this, name)) continue;
      this.#earlyValues[name] = this[name as keyof this];
      delete this[name as keyof this];
    }
    this.requestUpdate();
  }

  /** Resolves after the requested update is rendered. */
  get updateComplete(): Promise<void> {
    return this.#updateComplete;
  }

  addController(controller: ReactiveController) {
    this.#controllers.add(controller);
    if (this.renderRoot && this.isConnected) controller.hostConnected?.();
  }

  removeController(controller: ReactiveController) {
    this.#controllers.delete(controller);
  }

  connectedCallback() {
    if (!this.renderRoot) {
      this.renderRoot = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
      const { styles } = this.constructor as typeof ConnectElement;
      this.renderRoot.adoptedStyleSheets = styles.map(({ styleSheet }) => styleSheet);
      this.#enableUpdates();
    }
    for (const controller of this.#controllers) controller.hostConnected?.();
  }

  disconnectedCallback() {
    for (const controller of this.#controllers) controller.hostDisconnected?.();
  }

  attributeChangedCallback(attribute: string, before: string | null, text: string | null) {
    if (text === before || this.#isReflecting) return;
    for (const [name, options] of Object.entries(this.declarations)) {
      if (attributeOf(name, options) === attribute)
        this[name as keyof this] = parseAttribute(text, options) as never;
    }
  }

  /** Renders the element in a microtask, but not before it is first added to a document. */
  requestUpdate() {
    if (this.#isUpdatePending) return;
    this.#isUpdatePending = true;
    const update = () => this.#update();
    this.#updateComplete = this.#updateComplete.then(update, update); // Also after a failed update.
  }

  /** Called before the element is rendered. Changes in it need no further update. */
  protected willUpdate(_changed: PropertyValues): void {}

  protected abstract render(): unknown;

  /** Called after the element is rendered. */
  protected updated(): void {}

  #update() {
    const changed = this.#changed;
    let content;
    try {
      Object.assign(this, this.#earlyValues);
      this.#earlyValues = {};
      this.willUpdate(changed);
      for (const controller of this.#controllers) controller.hostUpdate?.();
      this.#reflect(changed);
      content = this.render();
    } finally {
      this.#changed = new Map();
      this.#isUpdatePending = false;
    }
    render(content, this.renderRoot);
    for (const controller of this.#controllers) controller.hostUpdated?.();
    this.updated();
  }

  /** Writes changed properties to their attributes. */
  #reflect(changed: PropertyValues) {
    this.#isReflecting = true;
    for (const [name, options] of Object.entries(this.declarations)) {
      if (!options.reflect || !changed.has(name)) continue;
      const value = this[name as keyof this] as string | boolean | null | undefined;
      const attribute = attributeOf(name, options) as string;
      if ((value ?? false) === false) this.removeAttribute(attribute);
      else this.setAttribute(attribute, value === true ? '' : `${value}`);
    }
    this.#isReflecting = false;
  }
}
