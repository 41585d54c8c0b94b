import { html, nothing } from 'lit';
import type { EmbedForm } from '@connect-embed/contract';
import { donateTexts as texts } from './messages/donate.ts';

/** Name of the organization, what the gift is for, and the mark of play money. */
export const renderHeader = ({ organization, campaign_name, fund_name, livemode }: EmbedForm) => {
  const purpose = campaign_name ?? fund_name;
  return html`<header>
    ${livemode ? nothing : html`<p class="test"><b>${texts.testMode}</b> ${texts.testModeHint}</p>`}
    <h2 id="title" part="heading">${texts.title(organization.name)}</h2>
    ${purpose ? html`<p class="purpose">${purpose}</p>` : nothing}
  </header>`;
};

/** The form's outline at the form's size, so that nothing moves when it comes. */
export const renderLoading = () => html`
  <p class="hidden" role="status">${texts.loading}</p>
  <div class="skeleton" aria-hidden="true">
    <i class="bar title"></i>
    <i class="bar label"></i>
    <div class="presets"><i></i><i></i><i></i><i></i></div>
    <i class="bar label"></i><i class="bar box"></i> <i class="bar label"></i
    ><i class="bar box"></i> <i class="bar label"></i><i class="bar box"></i>
    <i class="bar label"></i><i class="bar tall"></i> <i class="bar button"></i>
  </div>
`;

/** Gentle for the donor; what is wrong is told to the owner in the console. */
export const renderFailed = (offline: boolean, onRetry: () => void) => html`
  <div class="message" role="alert">
    <h2 id="title">${offline ? texts.offline : texts.loadFailed}</h2>
    <p>${offline ? texts.offlineHint : texts.loadFailedHint}</p>
    <button type="button" class="quiet" @click=${onRetry}>${texts.retry}</button>
  </div>
`;
