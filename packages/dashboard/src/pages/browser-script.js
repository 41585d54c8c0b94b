/*
 * The script of the pages of forms in the dashboard. It updates the preview while a member edits the
 * settings, says which changes are not saved, marks the section that is read and returns to it, copies texts to the
 * clipboard, and prints the poster.
 */

/** How long after the last change the preview is updated. */
const UPDATE_AFTER_MS = 500;

const INVALID_TEXT = 'Some settings are not valid, so the preview does not show them yet.';
const FAILED_TEXT = 'The preview could not be updated. Save the draft to keep your changes.';

const COPIED_FOR_MS = 2000;

const previewButton = document.querySelector('[data-preview]');
if (previewButton) keepPreviewUpToDate(previewButton);

const saveState = document.querySelector('[data-save-state]');
if (saveState) watchChanges(saveState);

const sectionIndex = document.querySelector('[data-index]');
if (sectionIndex) markCurrentSection(sectionIndex);

const printButton = document.querySelector('[data-print]');
if (printButton) {
  printButton.hidden = false;
  printButton.addEventListener('click', () => print());
}

for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', () => void copy(button));
}

for (const picker of document.querySelectorAll('[data-color]')) syncColor(picker);

for (const rows of document.querySelectorAll('fieldset:has([data-add-row])')) {
  rows.addEventListener('click', (event) => changeRows(event, rows));
}

/** Shows a color picker, which changes the text of its color and follows it. */
function syncColor(picker) {
  const text = document.getElementById(picker.dataset.color);
  picker.hidden = false;
  picker.addEventListener('input', () => {
    text.value = picker.value;
  });
  text.addEventListener('input', () => {
    if (/^#[0-9a-f]{6}$/i.test(text.value)) picker.value = text.value.toLowerCase();
  });
}

/** Adds or removes a row of amounts without a request. */
function changeRows(event, rows) {
  const button = event.target.closest('[data-add-row], [data-remove-row]');
  if (!button) return;
  event.preventDefault();
  const list = rows.querySelector('.rows');
  if ('removeRow' in button.dataset && list.children.length > 1) {
    const row = button.closest('.row');
    (row.nextElementSibling ?? row.previousElementSibling).querySelector('input').focus();
    row.remove();
  } else {
    const row =
      'addRow' in button.dataset
        ? list.appendChild(list.lastElementChild.cloneNode(true))
        : button.closest('.row');
    row.querySelectorAll('.wrong').forEach((problem) => problem.remove());
    for (const input of row.querySelectorAll('input')) {
      input.value = '';
      input.removeAttribute('aria-invalid');
      input.removeAttribute('aria-describedby');
      input.removeAttribute('id');
    }
    row.querySelector('input').focus();
  }
  numberRows(list);
  rows.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Writes the position of each row into the names of its controls, such as “Amount 2”. */
function numberRows(list) {
  for (const [index, row] of [...list.children].entries()) {
    for (const control of row.children) {
      control.ariaLabel = control.ariaLabel?.replace(/\d+/, index + 1);
    }
  }
}

/** Shows the note of a field, which replaces the error that it had when the page was opened. */
function showNote(name, { text, isProblem }) {
  const note = document.getElementById(`${name}-note`);
  note.textContent = text;
  note.classList.toggle('wrong', isProblem);
  document.getElementById(`${name}-problem`)?.remove();
  document.getElementById(name).ariaInvalid = isProblem ? 'true' : null;
}

function keepPreviewUpToDate(button) {
  const { form } = button;
  const frame = document.querySelector(`iframe[name='${button.dataset.preview}']`);
  const status = document.querySelector('[data-preview-status]');
  let timer;
  let request;

  /** Posts the unsaved settings, and shows their preview and the notes of the fields. */
  async function update() {
    request?.abort();
    request = new AbortController();
    try {
      const { signal } = request;
      const body = new URLSearchParams(new FormData(form));
      const headers = { accept: 'application/json' };
      const response = await fetch(button.formAction, { method: 'POST', body, headers, signal });
      const { path, notes } = await response.json();
      for (const [name, note] of Object.entries(notes)) showNote(name, note);
      status.textContent = path ? '' : INVALID_TEXT;
      // Without an entry in the history, so that “Back” leaves the page.
      if (path) frame.contentWindow.location.replace(path);
    } catch (error) {
      if (error.name !== 'AbortError') status.textContent = FAILED_TEXT;
    }
  }

  button.hidden = true;
  form.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void update(), UPDATE_AFTER_MS);
  });
  // The controls beside the preview belong to the form but are not inside it.
  for (const control of form.elements) {
    if (!form.contains(control)) control.addEventListener('change', () => void update());
  }
}

/** Says beside the buttons that save whether the form differs from what was saved. */
function watchChanges(state) {
  const form = state.closest('form');
  const saved = form.cloneNode(true);
  saved.reset();
  const savedSettings = settingsOf(saved);
  const [whenSaved, whenChanged] = state.children;
  state.hidden = false;
  const update = () => {
    whenChanged.hidden = settingsOf(form) === savedSettings;
    whenSaved.hidden = !whenChanged.hidden;
  };
  form.addEventListener('input', update);
  // The browser fills in again what was typed before the member left the page.
  addEventListener('pageshow', update);
}

/** The settings that a form would save. The choices of the preview are submitted with it, and not saved. */
function settingsOf(form) {
  return JSON.stringify([...new FormData(form)].filter(([name]) => !name.startsWith('preview_')));
}

/** Marks the link to the section in the middle of the window, to which “Save draft” returns. */
function markCurrentSection(index) {
  const saveButton = document.querySelector("button[name='section']");
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        const link = index.querySelector(`[href='#${target.id}']`);
        link.ariaCurrent = isIntersecting ? 'true' : null;
        if (isIntersecting) saveButton.value = target.id;
      }
    },
    { rootMargin: '-40% 0px -60%' },
  );
  for (const { hash } of index.querySelectorAll("[href^='#section-']")) {
    observer.observe(document.getElementById(hash.slice(1)));
  }
}

/** Copies the text of a field. If the browser does not allow it, the text is selected instead. */
async function copy(button) {
  const source = document.getElementById(button.dataset.copy);
  source.select();
  try {
    await navigator.clipboard.writeText(source.value);
  } catch {
    return;
  }
  const label = [...button.childNodes];
  button.disabled = true;
  button.replaceChildren('Copied');
  setTimeout(() => {
    button.disabled = false;
    button.replaceChildren(...label);
    button.focus();
  }, COPIED_FOR_MS);
}
