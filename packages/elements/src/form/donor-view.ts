import { html, nothing } from 'lit';
import type { Field } from './donation-draft.ts';
import type { FormView } from './form-context.ts';

/** Renders a required field of the donor's details. The field's name is also its autocomplete token. */
export function renderText(
  { draft, viewState, on }: FormView,
  field: 'name' | 'email',
  type: 'text' | 'email',
  maxLength: number,
) {
  const problem = viewState.problems[field];
  const suggestion = viewState.suggestions?.[field];
  return html`<div class="field">
    <label for=${field}
      >${draft.messages[field]} <span class="required">${draft.messages.required}</span></label
    >
    <div class="control">
      <input
        id=${field}
        name=${field}
        type=${type}
        required
        autocomplete=${field}
        maxlength=${maxLength}
        .value=${draft.values[field]}
        aria-invalid=${problem ? 'true' : nothing}
        aria-describedby=${problem ? `${field}-problem` : suggestion ? `${field}-suggestion` : nothing}
        @input=${(event: Event) => on?.change({ [field]: (event.target as HTMLInputElement).value })}
      />
    </div>
    ${problem ? renderProblem(field, problem) : nothing} ${suggestion}
  </div>`;
}

/** Renders the error message below a field. */
export const renderProblem = (field: Field, problem: string) =>
  html`<p class="problem" id=${`${field}-problem`}>${problem}</p>`;
