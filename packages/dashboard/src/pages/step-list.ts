import { html } from 'hono/html';
import type { Html } from '@connect-embed/api/lib/html';

/** A step of several that are done one after the other. */
export interface ListedStep {
  name: string;
  isDone: boolean;
  /** What to do and why, or what came of it. */
  text?: string;
  link?: { href: string; text: string; opensTab?: true };
}

/** Renders steps as a list, of which the first that is not done is the current one. */
export function stepList(steps: readonly ListedStep[]): Html {
  const next = steps.find(({ isDone }) => !isDone);
  return html`<ol class="checklist">
    ${steps.map((step) => stepView(step, step === next))}
  </ol>`;
}

const stepView = ({ name, text, isDone, link }: ListedStep, isNext: boolean) =>
  html`<li class="${isDone ? 'done' : ''}" ${isNext ? html`aria-current="step"` : ''}>
    <span class="state" aria-hidden="true"></span>
    <span class="name">${name}<span class="hidden">${isDone ? ': done' : ': not done'}</span></span>
    ${
      text &&
      html`<div class="detail">
        <p class="small muted">${text}</p>
        ${
          link &&
          html`<a
            class="${isNext ? 'button' : 'small'}"
            href="${link.href}"
            ${link.opensTab ? html`target="_blank" rel="noopener"` : ''}
            >${link.text}${link.opensTab ? html`<span class="hidden"> in a new tab</span>` : ''}</a
          >`
        }
      </div>`
    }
  </li>`;
