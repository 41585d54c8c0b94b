import type { CampaignProgress } from '@connect-embed/contract';
import { formatMoney } from '@connect-embed/contract/format-money';
import { goalStyles } from './shared/connect-goal.styles.ts';
import { ConnectLoadErrorEvent, ConnectReadyEvent } from './events.ts';
import { interpolate } from '@connect-embed/contract/interpolate';
import { goal as english } from '@connect-embed/locales/en.json';
import { Language, type LanguageHost, type MessageOverrides } from './shared/language.ts';
import type { GoalMessages } from './shared/message-types.ts';
import type { PageTheme } from './shared/page-theme.ts';
import { resolveServer, warnOnce } from './shared/resolve-server.ts';
import { VisiblePoller } from './shared/poll-while-visible.ts';

/** Timeout of one request, the same as the donation form's. */
const TIMEOUT_MS = 15_000;

/** Attributes with a property of the same name, which reads and writes the attribute. */
const REFLECTED = ['campaign', 'server', 'locale', 'theme'];

/** On a server (SSR) there is no `HTMLElement`, but the module must still load. */
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/**
 * A progress meter: the sum that a campaign has raised, and its goal.
 *
 * Refunds and lost disputes are subtracted; every payment of a recurring donation counts. It does not
 * use the renderer, so that a page with only a meter loads four kilobytes.
 *
 * @tag connect-goal
 * @slot - Fallback content, shown without JavaScript and while the progress cannot be loaded.
 * @fires {ConnectReadyEvent} connect-ready - The progress is loaded and drawn.
 * @fires {ConnectLoadErrorEvent} connect-load-error - The progress could not be loaded; the element retries.
 * @csspart frame - The card around the meter.
 * @csspart amount - The sum raised.
 * @csspart description - The text after the sum.
 * @csspart percentage - The percentage of the goal.
 * @csspart meter - The meter.
 * @csspart bar - The filled part of the meter.
 * @cssproperty [--connect-color-primary] - Color of the filled part of the meter.
 * @cssproperty [--connect-color-background] - Background of the meter.
 * @cssproperty [--connect-color-text] - Text. The colors of lines are derived from it.
 * @cssproperty [--connect-border-radius=10px] - Radius of corners.
 * @cssproperty [--connect-spacing-unit=4px] - All spacing is a multiple of it.
 * @cssproperty [--connect-font-family=inherit] - Font; by default the page's font.
 * @cssproperty [--connect-font-size-base=inherit] - Base font size; all text sizes are relative to it.
 */
export class ConnectGoal extends Base implements LanguageHost<GoalMessages> {
  static readonly observedAttributes = [...REFLECTED, 'messages'];

  /**
   * Id of a campaign that the server's configuration makes public.
   *
   * @attr
   * @reflect
   */
  declare campaign: string;

  /**
   * URL of the server (BFF); by default the server that the script was loaded from.
   *
   * @attr
   * @reflect
   */
  declare server: string;

  /**
   * Language of texts and numbers, such as `de-AT`; by default the page's.
   *
   * @attr
   * @reflect
   */
  declare locale: string;

  /**
   * `light`, `dark`, or `auto`: like the page behind the element, else like the visitor's system. By
   * default the page's `color-scheme`.
   *
   * @attr
   * @reflect
   */
  declare theme: 'light' | 'dark' | 'auto' | '';

  readonly #language = new Language<GoalMessages>(this, 'goal', english);
  readonly #poller = new VisiblePoller(this, (skipCache) => this.#poll(skipCache));
  readonly #amount = make('strong', 'amount');
  readonly #description = make('span', 'description');
  readonly #percentage = make('p', 'percentage');
  readonly #bar = make('div', 'bar');
  readonly #meter = make('div', 'meter', this.#bar);
  readonly #status = make('p', '');
  readonly #frame = make(
    'div',
    'frame',
    make('p', '', this.#amount, this.#description),
    this.#percentage,
    this.#meter,
    this.#status,
    document.createElement('slot'),
  );
  #overrides: MessageOverrides<GoalMessages> | null = null;
  #progress: CampaignProgress | undefined;
  #failed = false;
  #pageTheme: PageTheme | undefined;

  constructor() {
    super();
    this.#meter.role = 'meter';
    this.#status.role = 'status';
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(goalStyles);
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets.push(sheet);
    root.append(this.#frame);
    // A page may have set properties before the class was loaded: those hide the accessors.
    for (const name of ConnectGoal.observedAttributes as never[]) {
      const value = this[name];
      delete this[name];
      if (value) this[name] = value;
    }
  }

  /**
   * Replaces messages by their keys.
   *
   * @attr
   */
  get messages(): MessageOverrides<GoalMessages> | null {
    return this.#overrides;
  }

  set messages(messages: MessageOverrides<GoalMessages> | null) {
    this.#overrides = messages;
    this.requestUpdate();
  }

  connectedCallback() {
    this.#language.hostConnected();
    this.requestUpdate();
    this.#poller.start();
  }

  disconnectedCallback() {
    this.#language.hostDisconnected();
    this.#pageTheme?.hostDisconnected();
    this.#poller.stop();
  }

  attributeChangedCallback(name: string, before: string | null, value: string | null) {
    if (name === 'messages') this.messages = this.#parseMessages(value);
    const isOtherCampaign = value !== before && /campaign|server/.test(name);
    if (isOtherCampaign) {
      // Cleared even while the element is disconnected: otherwise it would show the old campaign's
      // sum.
      this.#progress = undefined;
      this.#failed = false;
    }
    if (!this.isConnected) return;
    this.requestUpdate();
    if (!isOtherCampaign) return;
    this.#poller.stop();
    this.#poller.start();
  }

  /**
   * Part of the interface of a controller's host, which `Language` requires. Not needed here: the
   * element calls the controller's methods itself.
   */
  addController() {}

  /** Draws the current progress in the current language. */
  requestUpdate() {
    this.#language.hostUpdate();
    // Applied at once: this element has no form fields, so no input is disturbed.
    this.#language.applyDeferred?.();
    this.#draw();
    if (this.theme === 'auto') void this.#followPage();
    else if (!/^(light|dark|)$/.test(this.theme))
      warnOnce(this, 'theme', this.theme, 'one of light, dark, auto');
  }

  /**
   * Follows the page's light or dark mode. Loaded on demand, because most pages with a meter have
   * no dark mode.
   */
  async #followPage() {
    const { PageTheme } = await import('./shared/page-theme.ts');
    this.#pageTheme ??= new PageTheme(this);
    if (this.isConnected) this.#pageTheme.hostConnected();
  }

  /** @returns whether the sum raised has changed */
  async #poll(isAfterDonation: boolean): Promise<boolean> {
    const requestedAddress = this.#address;
    try {
      if (!this.campaign) throw new Error('campaign is required.');
      const [progress] = await Promise.all([
        fetchProgress(requestedAddress, isAfterDonation),
        this.#language.ready,
      ]);
      if (requestedAddress !== this.#address) return this.#poll(isAfterDonation);
      const before = this.#progress;
      this.#progress = progress;
      this.#failed = false;
      this.#draw();
      const hasChanged = before !== undefined && before.raised_cents !== progress.raised_cents;
      if (hasChanged) this.#status.textContent = this.#formatSum('now', 'nowOf');
      if (!before) this.dispatchEvent(new ConnectReadyEvent());
      return hasChanged;
    } catch (error) {
      if (requestedAddress !== this.#address) return this.#poll(isAfterDonation);
      if (!this.#progress && !this.#failed) this.#fail(error);
      throw error;
    }
  }

  /** Reports the first failure only. A sum that is already shown stays. */
  #fail(error: unknown) {
    this.#failed = true;
    console.error(`<connect-goal campaign="${this.campaign}">`, error);
    this.#draw();
    this.dispatchEvent(new ConnectLoadErrorEvent(error));
  }

  get #address() {
    // A slash in the name of a platform's campaign stays: some proxies reject `%2F` in a path.
    return `${resolveServer(this, this.server)}/campaigns/${encodeURI(this.campaign)}/progress`;
  }

  #draw() {
    const { tag, code, direction } = this.#language;
    const { goal_cents: goal = null, raised_cents = 0, name } = this.#progress ?? {};
    const frame = this.#frame;
    frame.className = this.#progress ? (goal ? '' : 'no-goal') : this.#failed ? 'failed' : '';
    frame.classList.toggle('has-fallback', Boolean(this.children[0] ?? this.textContent!.trim()));
    frame.lang = code;
    frame.dir = direction ?? '';
    frame.ariaBusy = `${!this.#progress && !this.#failed}`;
    const share = goal ? raised_cents / goal : 0;
    // 100 % only when the goal is fully reached. Computed from integers: 29 of 100 as a float is 0.28….
    const percent = goal ? Math.floor((raised_cents * 100) / goal) / 100 : 0;
    const percentText = new Intl.NumberFormat(tag, { style: 'percent' }).format(percent);
    this.#amount.textContent = this.#progress ? this.#money(raised_cents) : '';
    this.#description.textContent = this.#progress ? this.#formatSum('raised', 'raisedOf') : '';
    this.#percentage.textContent = goal ? percentText : '';
    this.#bar.style.setProperty('--_share', `${Math.min(share, 1) * 100}%`);
    Object.assign(this.#meter, {
      // Hidden from assistive technology until the campaign is known.
      ariaHidden: !this.#progress,
      ariaLabel: name ?? '',
      ariaValueMin: 0,
      ariaValueMax: goal ?? 0,
      ariaValueNow: Math.min(raised_cents, goal ?? 0),
      ariaValueText: percentText,
    } satisfies Partial<Record<keyof ARIAMixin, unknown>>);
  }

  #parseMessages(json: string | null): MessageOverrides<GoalMessages> | null {
    try {
      return JSON.parse(json ?? 'null') as MessageOverrides<GoalMessages> | null;
    } catch {
      warnOnce(this, 'messages', json!, 'JSON');
      return null;
    }
  }

  #formatSum(alone: keyof GoalMessages, ofGoal: keyof GoalMessages): string {
    const { goal_cents, raised_cents } = this.#progress!;
    const text = this.#language.messages[goal_cents ? ofGoal : alone];
    const goal = goal_cents ? this.#money(goal_cents) : '';
    return interpolate(text, { goal, raised: this.#money(raised_cents) });
  }

  #money(cents: number) {
    return formatMoney(cents, this.#progress!.currency, this.#language.tag, { trim: true });
  }
}

/** @throws {Error} with the server's error message, or with the HTTP status if the response has none */
async function fetchProgress(address: string, skipCache: boolean): Promise<CampaignProgress> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(address, { signal, cache: skipCache ? 'no-cache' : 'default' });
  const body = (await response.json()) as CampaignProgress & { error?: Error };
  if (!response.ok) throw new Error(body.error?.message ?? `${response.status}`);
  return body;
}

function make(tag: string, part: string, ...children: Node[]): HTMLElement {
  const element = document.createElement(tag);
  if (part) element.setAttribute('part', part);
  element.append(...children);
  return element;
}

for (const name of REFLECTED) {
  Object.defineProperty(ConnectGoal.prototype, name, {
    get(this: Element) {
      return this.getAttribute(name) ?? '';
    },
    set(this: Element, value: string | null) {
      this.setAttribute(name, value ?? '');
    },
  });
}

declare global {
  interface HTMLElementTagNameMap {
    'connect-goal': ConnectGoal;
  }
}
