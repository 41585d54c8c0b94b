import type { CampaignProgress } from '@connect-embed/contract';
import { goalStyles } from './connect-goal.styles.ts';
import { ConnectLoadErrorEvent, ConnectReadyEvent } from './events.ts';
import { formatAmount } from './internal/format-amount.ts';
import { interpolate } from './internal/interpolate.ts';
import { Language, type LanguageHost, type TextOverrides } from './internal/language.ts';
import { goalTexts, type GoalTexts } from './internal/messages/goal.ts';
import type { PageTheme } from './internal/page-theme.ts';
import { resolveServer } from './internal/resolve-server.ts';
import { VisiblePoller } from './internal/poll-while-visible.ts';

/** As long as the form itself would wait for the server. */
const TIMEOUT_MS = 15_000;

/** A server has no elements, and may read this module all the same. */
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/**
 * What a campaign has raised against its goal, as it is now: refunds and lost disputes are
 * subtracted, every payment of a gift that repeats is counted.
 *
 * It stands without Lit, so that a page with a meter alone fetches four kilobytes.
 *
 * @tag connect-goal
 * @attr {string} campaign - Id of a campaign that the server's configuration shows.
 * @attr {string} server - Where the server answers; by default where the script came from.
 * @attr {string} locale - Language of words and numbers; the page's own when left out.
 * @attr {string} texts - JSON: words of your own, by their names.
 * @attr {'light' | 'dark' | 'auto'} theme - `light`, `dark`, or `auto` as the page behind it is, else the visitor's system; the page's `color-scheme` when left out.
 * @slot - What is shown where no script runs, and while nothing can be read.
 * @fires {ConnectReadyEvent} connect-ready - The sum stands.
 * @fires {ConnectLoadErrorEvent} connect-loaderror - It could not be read; it is tried again.
 * @csspart frame - The card around it.
 * @csspart sum - What was raised.
 * @csspart text - The words after it.
 * @csspart percent - How much of the goal that is.
 * @csspart meter - The meter.
 * @csspart bar - Its filled part.
 * @cssproperty [--connect-color-primary] - The filled part.
 * @cssproperty [--connect-color-background] - Behind the meter.
 * @cssproperty [--connect-color-text] - Text; lines and hints are mixed from it.
 * @cssproperty [--connect-border-radius=10px] - Corners.
 * @cssproperty [--connect-spacing-unit=4px] - All distances are multiples of it.
 * @cssproperty [--connect-font-family=inherit] - Font; the page's own by default.
 * @cssproperty [--connect-font-size-base=inherit] - Size that all text is measured from.
 */
export class ConnectGoal extends Base implements LanguageHost<GoalTexts> {
  static readonly observedAttributes = ['campaign', 'server', 'locale', 'texts', 'theme'];

  /** Words of your own, in place of the attribute. */
  texts: TextOverrides<GoalTexts> | null = null;

  readonly #language = new Language<GoalTexts>(this, 'goal', goalTexts);
  readonly #poller = new VisiblePoller(this, (skipCache) => this.#poll(skipCache));
  readonly #sum = make('strong', 'sum');
  readonly #text = make('span', 'text');
  readonly #percent = make('p', 'percent');
  readonly #bar = make('div', 'bar');
  readonly #meter = make('div', 'meter', this.#bar);
  readonly #status = make('p', '');
  readonly #frame = make(
    'div',
    'frame',
    make('p', '', this.#sum, this.#text),
    this.#percent,
    this.#meter,
    this.#status,
    document.createElement('slot'),
  );
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
  }

  /** Language of words and numbers; frameworks set it, for it is there to be read. */
  get locale(): string {
    return this.getAttribute('locale') ?? '';
  }

  set locale(locale: string) {
    this.setAttribute('locale', locale);
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
    if (name === 'texts') this.texts = parseTexts(value);
    const isOtherCampaign = value !== before && (name === 'campaign' || name === 'server');
    if (isOtherCampaign) {
      this.#progress = undefined; // Also out of the page: it would stand there as this one's.
      this.#failed = false;
    }
    if (!this.isConnected) return;
    this.requestUpdate();
    if (!isOtherCampaign) return;
    this.#poller.stop();
    this.#poller.start();
  }

  /** @internal The language's host is the element itself; nothing else is to be told. */
  addController() {}

  /** @internal Draws what is known, in the words of now. */
  requestUpdate() {
    this.#language.hostUpdate();
    this.#language.applyDeferred?.(); // Nobody's hands are ever on it.
    this.#draw();
    if (this.getAttribute('theme') === 'auto') void this.#followPage();
  }

  /** Most pages with a meter have no dark mode, so that they need not fetch this. */
  async #followPage() {
    const { PageTheme } = await import('./internal/page-theme.ts');
    this.#pageTheme ??= new PageTheme(this);
    if (this.isConnected) this.#pageTheme.hostConnected();
  }

  /** @returns whether the sum moved */
  async #poll(hurried: boolean): Promise<boolean> {
    const requestedAddress = this.#address;
    try {
      if (!this.getAttribute('campaign')) throw new Error('campaign: is missing.');
      const [progress] = await Promise.all([
        fetchProgress(requestedAddress, hurried),
        this.#language.ready,
      ]);
      if (requestedAddress !== this.#address) return this.#poll(hurried);
      const before = this.#progress;
      this.#progress = progress;
      this.#failed = false;
      this.#draw();
      const hasChanged = before !== undefined && before.raised_cents !== progress.raised_cents;
      if (hasChanged) this.#status.textContent = this.#formatSum('now', 'nowOf');
      if (!before) this.dispatchEvent(new ConnectReadyEvent());
      return hasChanged;
    } catch (error) {
      if (requestedAddress !== this.#address) return this.#poll(hurried);
      if (!this.#progress && !this.#failed) this.#fail(error);
      throw error;
    }
  }

  /** Told once; what stands already stays. */
  #fail(error: unknown) {
    this.#failed = true;
    console.error(`<connect-goal campaign="${this.getAttribute('campaign') ?? ''}">`, error);
    this.#draw();
    this.dispatchEvent(new ConnectLoadErrorEvent(error));
  }

  get #address() {
    const campaign = encodeURIComponent(this.getAttribute('campaign') ?? '');
    return `${resolveServer(this, this.getAttribute('server') ?? '')}/campaigns/${campaign}/progress`;
  }

  #draw() {
    const { tag, words, direction } = this.#language;
    const { goal_cents: goal = null, raised_cents = 0, name } = this.#progress ?? {};
    const frame = this.#frame;
    frame.className = this.#progress ? (goal ? '' : 'without') : this.#failed ? 'failed' : '';
    frame.classList.toggle('told', Boolean(this.children[0] ?? this.textContent!.trim()));
    frame.lang = words;
    frame.dir = direction ?? '';
    frame.ariaBusy = `${!this.#progress && !this.#failed}`;
    const share = goal ? raised_cents / goal : 0;
    // Never a hundred before it is: the last cent counts. Whole numbers: 29 of 100 are 0.28… as a share.
    const percent = goal ? Math.floor((raised_cents * 100) / goal) / 100 : 0;
    const percentText = new Intl.NumberFormat(tag, { style: 'percent' }).format(percent);
    this.#sum.textContent = this.#progress ? this.#money(raised_cents) : '';
    this.#text.textContent = this.#progress ? this.#formatSum('raised', 'raisedOf') : '';
    this.#percent.textContent = goal ? percentText : '';
    this.#bar.style.setProperty('--_share', `${Math.min(share, 1) * 100}%`);
    const meter = this.#meter;
    // Nameless until it is known what it measures.
    meter.ariaHidden = `${!this.#progress}`;
    meter.ariaLabel = name ?? '';
    meter.ariaValueMin = '0';
    meter.ariaValueMax = `${goal ?? 0}`;
    meter.ariaValueNow = `${Math.min(raised_cents, goal ?? 0)}`;
    meter.ariaValueText = percentText;
  }

  #formatSum(alone: keyof GoalTexts, ofGoal: keyof GoalTexts): string {
    const { goal_cents, raised_cents } = this.#progress!;
    const text = this.#language.texts[goal_cents ? ofGoal : alone];
    const goal = goal_cents ? this.#money(goal_cents) : '';
    return interpolate(text, { goal, raised: this.#money(raised_cents) });
  }

  #money(cents: number) {
    return formatAmount(cents, this.#progress!.currency, this.#language.tag);
  }
}

/** @throws {Error} what the server says, or that it does not */
async function fetchProgress(address: string, hurried: boolean): Promise<CampaignProgress> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const answer = await fetch(address, { signal, cache: hurried ? 'no-cache' : 'default' });
  const body = (await answer.json()) as CampaignProgress & { error?: Error };
  if (!answer.ok) throw new Error(body.error?.message ?? `${answer.status}`);
  return body;
}

function make(tag: string, part: string, ...children: Node[]): HTMLElement {
  const element = document.createElement(tag);
  if (part) element.setAttribute('part', part);
  element.append(...children);
  return element;
}

function parseTexts(json: string | null): TextOverrides<GoalTexts> | null {
  try {
    return JSON.parse(json ?? 'null') as TextOverrides<GoalTexts> | null;
  } catch {
    return null;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'connect-goal': ConnectGoal;
  }
}
