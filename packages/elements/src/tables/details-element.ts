import { LitElement, html, nothing, type PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';
import type { Component } from '@connect-embed/contract';
import { interpolate } from '@connect-embed/contract/interpolate';
import { tableFeatures, tables } from '@connect-embed/locales/en.json';
import { Language, type MessageOverrides } from '../shared/language.ts';
import { namePlaceholders } from './format.ts';
import type { TablesMessages } from '../shared/message-types.ts';
import { displayOptionsOf } from './display-options.ts';
import { tableStyles } from './table.styles.ts';
import { unmaskedColumns, type Column, type DisplayOptions, type Resource } from './column.ts';
import { UnclosedTag } from '../shared/unclosed-tag.ts';
import { tokens } from '../shared/tokens.styles.ts';
import { checkAttributes } from './check-attributes.ts';
import { detailsStyles } from './details.styles.ts';
import { renderEmptyOrError } from './empty-or-error-view.ts';
import { moreFields, renderSkeletonFields, renderFields, type Field } from './fields.ts';
import { optionalColumns } from './optional-columns.ts';
import { SingleResource } from './single-resource.ts';
import { SessionRenewal } from './session-renewal.ts';
import { tableFeaturesStyles } from './table-features.styles.ts';

/**
 * Base class of the elements that show a single resource: `<connect-donation-details>` and
 * `<connect-payout-details>`. It holds their common attributes and loads the resource.
 *
 * Why it is a base class: docs/decisions/0044-tables.md
 *
 * @fires {ConnectLoadStartEvent} connect-load-start - Loading of the resource starts.
 * @fires {ConnectReadyEvent} connect-ready - The resource is shown.
 * @fires {ConnectLoadErrorEvent} connect-load-error - The resource could not be loaded.
 * @csspart frame - The card around the resource.
 * @csspart heading - The heading.
 * @csspart fields - The list of fields, a `<dl>`.
 * @cssproperty [--connect-color-primary] - Buttons, links and focus.
 * @cssproperty [--connect-color-background] - Background of the element.
 * @cssproperty [--connect-color-text] - Text. The colors of lines and hints are derived from it.
 * @cssproperty [--connect-color-danger] - Errors.
 * @cssproperty [--connect-border-radius=10px] - Corner radius.
 * @cssproperty [--connect-spacing-unit=4px] - All spacing is a multiple of it.
 * @cssproperty [--connect-font-family=inherit] - Font; by default the page's font.
 * @cssproperty [--connect-font-size-base=inherit] - Base font size; all text sizes are relative to it.
 */
export abstract class DetailsElement<Row extends Resource> extends LitElement {
  static override styles = [tokens, tableStyles, tableFeaturesStyles, detailsStyles];

  /** URL of the server (BFF); by default the server that the script was loaded from. */
  @property() server = '';

  /** Token that identifies the viewer, created by the page's server. It is sent to the BFF as a bearer token. */
  @property({ attribute: 'viewer-token' }) viewerToken: string | null = null;

  /** The organization's time zone, such as `America/New_York`; by default the one that the API returns. */
  @property({ attribute: 'time-zone' }) timeZone = '';

  /** Language of texts, dates and money, such as `de-AT`; by default the page's language. */
  @property() locale = '';

  /** Custom messages by name. Messages nested under a language code apply to that language only. */
  @property({ type: Object }) messages: MessageOverrides<TablesMessages> | null = null;

  /** @internal Page size: a resource is loaded as a list of one row (docs/decisions/0044-tables.md). */
  readonly limit = 1;

  /** @internal */
  readonly pages: SingleResource<Row>;
  /** @internal */
  readonly language = new Language<TablesMessages>(this, 'tables', { ...tables, ...tableFeatures });
  /** @internal Messages, language and time zone, as of the latest update. */
  display!: DisplayOptions;

  /** @internal The heading: the kind of resource, for example "Donation". */
  abstract get caption(): string;
  /** @internal The id of the resource; empty when none is selected. */
  protected abstract get recordId(): string;
  /** @internal Field names in display order. */
  protected abstract readonly order: readonly string[];
  /** @internal The columns of the corresponding table, which are also fields here. */
  protected abstract readonly columns: (display: DisplayOptions) => Column<Row>[];

  constructor(component: Component) {
    super();
    this.pages = new SingleResource<Row>(this, component, () => this.recordId);
    new SessionRenewal(this);
    new UnclosedTag(this);
  }

  /** Reloads the resource. */
  refresh(): Promise<void> {
    return this.pages.loadFirstPage();
  }

  /** @internal Resolves when the texts of the language are loaded; the resource is shown after that. */
  whenReady(): Promise<unknown> {
    return this.language.ready;
  }

  /** Clears the view and loads the resource with the new id. */
  protected reloadIfLoaded() {
    if (this.pages.session) this.pages.reset();
  }

  /** Not in `willUpdate`: only now the controllers are up to date, as in `TableElement`. */
  protected override update(changed: PropertyValues) {
    this.display = displayOptionsOf(this);
    super.update(changed);
  }

  protected override updated() {
    checkAttributes(this);
  }

  protected override render() {
    const { status } = this.pages;
    const { messages } = this.display;
    const { code, direction, isLoading: isUntranslated } = this.language;
    const isLoading = status === 'loading';
    // A record that has arrived is shown together with its translations and transactions.
    const record = isLoading ? undefined : this.pages.record;
    return html`<section
      class="frame"
      part="frame"
      lang=${code}
      dir=${direction ?? nothing}
      aria-busy=${isLoading}
    >
      ${isLoading || record ? this.#renderRecord(record) : renderEmptyOrError(this, messages.unchosen)}
      <p class="hidden" role="status">
        ${isLoading && !isUntranslated ? interpolate(messages.loading, namePlaceholders('what', this.caption)) : nothing}
      </p>
    </section>`;
  }

  #renderRecord(record: Row | undefined) {
    // Until the texts of the language are loaded, show none rather than English ones.
    const isUntranslated = this.language.isLoading;
    return html`<h2 class="title" part="heading">${isUntranslated ? '\u00a0' : this.caption}</h2>
      ${record ? renderFields(this.#fields, record) : renderSkeletonFields(this.#fields, isUntranslated)}
      ${record ? this.renderMore(record) : nothing}`;
  }

  /** @internal Renders additional content below the fields. */
  protected renderMore(_record: Row): unknown {
    return nothing;
  }

  get #fields(): Field<Row>[] {
    const { display, pages, order } = this;
    const { component } = pages;
    const columns = [...this.columns(display), ...optionalColumns<Row>(component, display)];
    const open = unmaskedColumns(this.pages, columns);
    const all: Field<Row>[] = [...open, ...moreFields<Row>(component, display)];
    return order.flatMap((name) => all.find(({ id }) => id === name) ?? []);
  }
}
