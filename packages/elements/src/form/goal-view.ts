import { css, html } from 'lit';
import '../define/connect-goal.ts';
import { adoptStyles } from '../shared/adopt-styles.ts';
import type { FormContext } from './form-context.ts';

/**
 * Shows the goal of the form's campaign: the goal meter without its card. The styles of the form have
 * reserved its height.
 */
export function showGoal(context: FormContext) {
  adoptStyles(context.host, goalInFormStyles);
  context.setViewState({ goal: () => renderGoal(context) });
}

function renderGoal({ server, name, draft, host, language }: FormContext) {
  // Pages name the campaign of a connected organization like its form: `org_harbor/camp_winter`.
  const [organization = ''] = /^\w+\//.exec(name ?? '') ?? [];
  const isRightToLeft = host.shadowRoot!.querySelector('.frame:dir(rtl)');
  return html`<connect-goal
    lang=${language.tag}
    dir=${isRightToLeft ? 'rtl' : 'ltr'}
    campaign=${`${organization}${draft.form.terms.campaign_id}`}
    server=${server}
    @connect-ready=${keepInForm}
    @connect-load-error=${keepInForm}
  ></connect-goal>`;
}

/** Events of the meter are not events of the form. */
const keepInForm = (event: Event) => event.stopPropagation();

/** Heights are relative to the font size, like the height that the form reserves. */
const goalInFormStyles = css`
  .goal {
    padding-block-start: 0.5em;
  }
  connect-goal {
    max-inline-size: none;
  }
  connect-goal::part(frame) {
    gap: 0.5em;
    padding: 0;
    border: 0;
    background: none;
  }
  connect-goal::part(amount) {
    min-block-size: 1.5em;
    font-size: min(1.25em, 12cqi);
    line-height: 1.5;
  }
  connect-goal::part(description) {
    color: var(--_muted);
  }
  connect-goal::part(meter) {
    block-size: 0.625em;
    border-color: transparent;
    background: var(--_fill);
  }
`;
