import type { Component } from '@connect-embed/contract';
import { html, LitElement, nothing, type PropertyDeclarations, type PropertyValues } from 'lit';
import type { TextOverrides } from '../internal/language.ts';
import { findTimeZone } from '../internal/format.ts';
import { detectLanguage } from '../internal/detect-language.ts';
import type { TablesTexts } from '../internal/messages/tables-texts.ts';
import { findProvider } from '../internal/default-provider.ts';
import { tableStyles } from '../internal/table.styles.ts';
import type { Column } from '../internal/table-view.ts';
import { tokens } from '../internal/tokens.styles.ts';
import { checkAttributes } from './check-attributes.ts';
import { detailsStyles } from './details.styles.ts';
import { renderEmptyOrError } from './empty-or-error-view.ts';
import { moreFields, renderBlankFields, renderFields, type Field } from './fields.ts';
import { unmaskedColumns } from './unmasked-columns.ts';
import { optionalColumns } from './optional-columns.ts';
import { SingleResource } from './single-resource.ts';
import { followProviderTheme } from './provider-theme.ts';
import { SessionRenewal } from './session-renewal.ts';
import { TableTranslator } from './i18n.ts';
import type { DisplayOptions, Resource } from './table-element.ts';
import { deferredTexts as texts } from './deferred-texts.ts';
import { tableFeaturesStyles } from './table-features.styles.ts';

/**
 * What the elements of one record have in common: their attributes, and their way to it.
 *
 * A base class, as the tables': docs/decisions/0061-details-elements.md
 *
 * @fires {ConnectLoadStartEvent} connect-loaderstart - The record is being read.
 * @fires {ConnectReadyEvent} connect-ready - It is shown.
 * @fires {ConnectLoadErrorEvent} connect-loaderror - It could not be read.
 * @csspart frame - The card around the record.
 * @csspart title - The heading.
 * @csspart fields - The list of what is known, the `<dl>`.
 * @cssproperty [--connect-color-primary] - Buttons, links and focus.
 * @cssproperty [--connect-color-background] - Behind the record.
 * @cssproperty [--connect-color-text] - Text; lines and hints are mixed from it.
 * @cssproperty [--connect-color-danger] - Problems.
 * @cssproperty [--connect-border-radius=10px] - Corners.
 * @cssproperty [--connect-spacing-unit=4px] - All distances are multiples of it.
 * @cssproperty [--connect-font-family=inherit] - Font; the page's own by default.
 * @cssproperty [--connect-font-size-base=inherit] - Size that all text is measured from.
 */
export abstract class DetailsElement<Row extends Resource> extends LitElement {
  static override styles = [tokens, tableStyles, tableFeaturesStyles, detailsStyles];

  static override properties: PropertyDeclarations = {
    server: {},
    viewerToken: { attribute: 'viewer-token' },
    timeZone: { attribute: 'time-zone' },
    locale: {},
    texts: { type: Object },
  };

  /** Where the server answers; by default where the script came from. */
  server = '';

  /** Says who is looking; the page's own server makes it. Sent to the server as a bearer token. */
  viewerToken: string | null = null;

  /** The organization's zone, such as `America/New_York`; by default as the API tells it. */
  timeZone = '';

  /** Language of texts, dates and money, such as `de-AT`; by default the page's. */
  locale = '';

  /** Your own words, by name; those under a language's name are for that language alone. */
  texts: TextOverrides<TablesTexts> | null = null;

  /** @internal One record is a page of one row. */
  readonly limit = 1;

  /** @internal */
  readonly pages: SingleResource<Row>;
  /** @internal How it is shown. */
  look!: DisplayOptions;
  readonly #translator = new TableTranslator(this);
  readonly #renewal: SessionRenewal<Row>;

  /** @internal What the record is called. */
  abstract get caption(): string;
  /** @internal Which one; empty when none is chosen. */
  protected abstract get recordId(): string;
  /** @internal The names of its fields, in the order of a reader's interest. */
  protected abstract readonly order: readonly string[];
  /** @internal The columns of its table. */
  protected abstract columns(look: DisplayOptions): Column<Row>[];

  constructor(component: Component) {
    super();
    this.pages = new SingleResource<Row>(this, component, () => this.recordId);
    this.#renewal = new SessionRenewal(this.pages);
  }

  /** Reads the record again. */
  refresh(): Promise<void> {
    return this.pages.first();
  }

  /** @internal What must be there before the record is shown. */
  beforeShown(): Promise<unknown> {
    return this.#translator.ready;
  }

  /** Another record is another page: nothing of the one before stays. */
  protected loadOther() {
    if (this.pages.session) this.pages.beginAnew();
  }

  protected override willUpdate(_changed: PropertyValues) {
    const { session } = this.pages;
    const timeZone = findTimeZone(this.timeZone, findProvider(this)?.timeZone, session?.timeZone);
    this.look = { language: detectLanguage(this), timeZone };
  }

  protected override updated() {
    checkAttributes(this);
    followProviderTheme(this);
    this.#renewal.update();
  }

  protected override render() {
    const { status, record } = this.pages;
    const isLoading = status === 'loading';
    return html`<section class="frame" part="frame" aria-busy=${isLoading}>
      ${isLoading || record ? this.#renderRecord(record) : renderEmptyOrError(this, texts.unchosen)}
      <p class="hidden" role="status">${isLoading ? texts.loading(this.caption) : nothing}</p>
    </section>`;
  }

  #renderRecord(record: Row | undefined) {
    // Its words are on their way: nothing is said rather than in another language.
    const isUntranslated = !record && (!!this.texts || !/^en/.test(this.look.language));
    return html`<h2 class="title" part="title">${isUntranslated ? '\u00a0' : this.caption}</h2>
      ${record ? renderFields(this.#fields, record) : renderBlankFields(this.#fields, isUntranslated)}
      ${record ? this.renderMore(record) : nothing}`;
  }

  /** @internal What stands below the fields. */
  protected renderMore(_record: Row): unknown {
    return nothing;
  }

  get #fields(): Field<Row>[] {
    const { look, pages, order } = this;
    const { component } = pages;
    const columns = [...this.columns(look), ...optionalColumns<Row>(component, look)];
    const open = unmaskedColumns(this.pages, columns);
    const all: Field<Row>[] = [...open, ...moreFields<Row>(component, look)];
    return order.flatMap((name) => all.find(({ id }) => id === name) ?? []);
  }
}
