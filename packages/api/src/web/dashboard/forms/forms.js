/*
 * The script of the pages of forms in the dashboard. It updates the preview while a member edits the
 * settings, copies texts to the clipboard, and prints the poster.
 */

/** How long after the last change the preview is updated. */
const UPDATE_AFTER_MS = 500;

const INVALID_TEXT = 'Some settings are not valid, so the preview does not show them yet.';
const FAILED_TEXT = 'The preview could not be updated. Save the draft to keep your changes.';
const PREVIEW_PATH = '/form-preview/';

const COPIED_FOR_MS = 2000;

const previewButton = document.querySelector('[data-preview]');
if (previewButton) keepPreviewUpToDate(previewButton);

const printButton = document.querySelector('[data-print]');
if (printButton) {
  printButton.hidden = false;
  printButton.addEventListener('click', () => print());
}

for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', () => void copy(button));
}

function keepPreviewUpToDate(button) {
  const { form } = button;
  const frame = document.querySelector(`iframe[name='${button.dataset.preview}']`);
  const status = document.querySelector('[data-preview-status]');
  let timer;
  let request;

  /** Posts the unsaved settings, and shows the preview that they are redirected to. */
  async function update() {
    request?.abort();
    request = new AbortController();
    try {
      const { signal } = request;
      const body = new URLSearchParams(new FormData(form));
      const response = await fetch(button.formAction, { method: 'POST', body, signal });
      const isPreview = response.ok && new URL(response.url).pathname.startsWith(PREVIEW_PATH);
      status.textContent = isPreview ? '' : response.status === 400 ? INVALID_TEXT : FAILED_TEXT;
      // Without an entry in the history, so that “Back” leaves the page.
      if (isPreview) frame.contentWindow.location.replace(response.url);
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
