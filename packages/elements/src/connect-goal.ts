import type { CampaignProgress as Progress } from '@connect-embed/contract';
import { formatMoney } from '@connect-embed/contract/format-money';
import { interpolate } from '@connect-embed/contract/interpolate';
import { goal as english } from '@connect-embed/locales/en.json';
import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { property, state } from 'lit/decorators.js';
import { classMap } from 'lit/directives/class-map.js';
import { ConnectLoadErrorEvent, ConnectReadyEvent } from './events.ts';
import { CampaignProgress } from './goal/campaign-progress.ts';
import { goalStyles } from './goal/goal.styles.ts';
import { Language, type MessageOverrides } from './shared/language.ts';
import { logLoadError } from './shared/log-load-error.ts';
import type { GoalMessages } from './shared/message-types.ts';
import { PageTheme } from './shared/page-theme.ts';
import { resolveServer } from './shared/resolve-server.ts';
import { UnclosedTag } from './shared/unclosed-tag.ts';
import { textStyles } from './shared/text.styles.ts';
import { themeStyles } from './shared/theme.styles.ts';
import { tokens } from './shared/tokens.styles.ts';

/**
 * A progress meter: the sum that a campaign has raised, and its goal.
 *
 * Refunds and lost disputes are subtracted; every payment of a recurring donation counts.
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
export class ConnectGoal extends LitElement {
  static override styles = [tokens, textStyles, themeStyles, goalStyles];

  /** Id of a campaign that the server's configuration makes public. */
  @property({ reflect: true, useDefault: true }) campaign = '';

  /** URL of the server (BFF); by default the server that the script was loaded from. */
  @property({ reflect: true, useDefault: true }) server = '';

  /** Language of texts and numbers, such as `de-AT`; by default the page's. */
  @property({ reflect: true, useDefault: true }) locale = '';

  /**
   * `light`, `dark`, or `auto`: like the page behind the element, else like the visitor's system. By
   * default the page's `color-scheme`.
   */
  @property({ reflect: true, useDefault: true }) theme: 'light' | 'dark' | 'auto' | '' = '';

  /** Replaces messages by their keys. */
  @property({ type: Object }) messages: MessageOverrides<GoalMessages> | null = null;

  /** Read out by screen readers when the sum has changed. */
  @state() private announcement = '';

  readonly #language = new Language<GoalMessages>(this, 'goal', english);
  readonly #progress = new CampaignProgress(this, {
    url: () => this.#progressUrl(),
    onLoad: (progress, previous) => void this.#progressLoaded(progress, previous),
    onError: (error) => this.#loadFailed(error),
  });

  constructor() {
    super();
    new PageTheme(this);
    new UnclosedTag(this);
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    if (this.hasUpdated && (changed.has('campaign') || changed.has('server')))
      this.#progress.restart();
  }

  protected override render() {
    const { code, direction } = this.#language;
    const { hasFailed } = this.#progress;
    const progress = this.#language.isLoading ? undefined : this.#progress.current;
    const hasFallback = this.children.length > 0 || !!this.textContent.trim();
    const classes = {
      frame: true,
      'no-goal': !!progress && !progress.goal_cents,
      failed: hasFailed,
      'has-fallback': hasFallback,
    };
    return html`<div
      class=${classMap(classes)}
      part="frame"
      lang=${code}
      dir=${direction ?? nothing}
      aria-busy=${!progress && !hasFailed}
    >
      <p>
        <strong part="amount">${progress && this.#formatMoney(progress, 'raised_cents')}</strong>
        <span part="description">${progress && this.#formatSum(progress, 'raised')}</span>
      </p>
      <p part="percentage">${progress?.goal_cents ? this.#formatPercentage(progress) : nothing}</p>
      ${this.#renderMeter(progress)}
      <p class="hidden" role="status">${this.announcement}</p>
      <slot @slotchange=${() => this.requestUpdate()}></slot>
    </div>`;
  }

  /** Hidden from assistive technology until the campaign is known. */
  #renderMeter(progress: Progress | undefined) {
    const { goal_cents, raised_cents = 0, name } = progress ?? {};
    const goal = goal_cents ?? 0;
    const reached = Math.max(0, Math.min(raised_cents, goal)); // Refunds may exceed donations.
    // Set as a property: a strict Content-Security-Policy of the page blocks style attributes.
    return html`<div
      part="meter"
      role="meter"
      aria-hidden=${!progress}
      aria-label=${name ?? ''}
      aria-valuemin="0"
      aria-valuemax=${goal}
      aria-valuenow=${reached}
      aria-valuetext=${progress ? this.#formatPercentage(progress) : ''}
    >
      <div part="bar" .style=${`--_share: ${goal ? (reached / goal) * 100 : 0}%`}></div>
    </div>`;
  }

  /** @throws {Error} without a campaign */
  #progressUrl() {
    if (!this.campaign) throw new Error('campaign is required.');
    // A slash in the name of a platform's campaign stays: some proxies reject `%2F` in a path.
    return `${resolveServer(this, this.server)}/campaigns/${this.campaign.split('/').map(encodeURIComponent).join('/')}/progress`;
  }

  async #progressLoaded(progress: Progress, previous: Progress | undefined) {
    await this.#language.ready;
    if (progress !== this.#progress.current) return; // Another campaign, or a newer sum.
    if (previous && previous.raised_cents !== progress.raised_cents)
      this.announcement = this.#formatSum(progress, 'now');
    if (previous) return;
    await this.updateComplete;
    this.dispatchEvent(new ConnectReadyEvent());
  }

  #loadFailed(error: unknown) {
    const server = resolveServer(this, this.server);
    void logLoadError(`<connect-goal campaign="${this.campaign}">`, error, server);
    this.dispatchEvent(new ConnectLoadErrorEvent(error));
  }

  #formatSum(progress: Progress, key: 'raised' | 'now'): string {
    const { messages } = this.#language;
    const raised = this.#formatMoney(progress, 'raised_cents');
    if (!progress.goal_cents) return interpolate(messages[key], { raised });
    const goal = this.#formatMoney(progress, 'goal_cents');
    return interpolate(messages[`${key}Of`], { goal, raised });
  }

  #formatMoney(progress: Progress, field: 'raised_cents' | 'goal_cents'): string {
    const { tag } = this.#language;
    return formatMoney(progress[field] ?? 0, progress.currency, tag, { trim: true });
  }

  #formatPercentage({ goal_cents: goal, raised_cents }: Progress): string {
    // 100 % only when the goal is fully reached. Computed from integers: 29 of 100 as a float is 0.28….
    const share = goal ? Math.floor((raised_cents * 100) / goal) / 100 : 0;
    return new Intl.NumberFormat(this.#language.tag, { style: 'percent' }).format(share);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'connect-goal': ConnectGoal;
  }
}
