import { html } from 'hono/html';
import type { Html } from '@connect-embed/api/lib/html';
import type { FormState } from '../pages/fields.ts';
import { cardPage } from '@connect-embed/api/http/page-shell';

/** The steps of the setup. The last three are in the checklist on the home page of the dashboard. */
const STEPS = ['Your account', 'Organization', 'Payments', 'First form', 'Your website'];

/** Renders a page of the setup with the position among its steps. */
export const setupPage = (step: 1 | 2, title: string, content: Html) =>
  cardPage(
    title,
    html`<div class="title">
        <p class="small muted">Step ${step} of ${STEPS.length}</p>
        <h1>${title}</h1>
      </div>
      <ol class="setup-steps" aria-label="Steps">
        ${STEPS.map(
          (name, index) =>
            html`<li
              class="${index < step ? 'reached' : ''}"
              ${index === step - 1 ? html`aria-current="step"` : ''}
            >
              <span class="hidden">${name}${index < step - 1 ? ' (done)' : ''}</span>
            </li>`,
        )}
      </ol>
      ${content}`,
  );

/** Renders what is wrong above a form that is shown again. */
export const formProblem = ({ rejection }: FormState) =>
  rejection && html`<p class="notice problem" role="alert">${rejection}</p>`;
