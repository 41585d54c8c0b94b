// Must be first: it collects the hooks of the fakes.
import { begin, end } from '@connect-embed/workshop/test-hooks.js';
import { render, type TemplateResult } from 'lit-html';
import { STORIES, type Story } from './stories.ts';

interface SampleOptions {
  tag: string;
  /** Name of a story. */
  state: string | undefined;
  /** Sets the attributes and styles of the playground. */
  prepare: (element: HTMLElement) => void;
}

/** Stories that show an attribute, which the playground has a control for, instead of a view state. */
const NO_STATE = /^in [A-Z]|custom properties|appearance|button|dialog/;

const storiesOf = (tag: string): Story[] =>
  Object.values(STORIES[tag] ?? {}).filter(({ name }) => name && !NO_STATE.test(name));

/** The names of the view states of an element. */
export const stateNames = (tag: string): string[] => storiesOf(tag).map(({ name }) => name);

/** The state in which an element is shown first. */
const isFirst = ({ name }: Story) => /^(form$|with )/.test(name);

// The fakes clear the storage between tests, which here is also that of the site.
Storage.prototype.clear = function (this: Storage) {
  for (const key of Object.keys(this)) if (key.startsWith('connect')) this.removeItem(key);
};

let isBegun = false;
let latest = 0;
let showing = Promise.resolve();

/**
 * Shows an element in a view state, which is reached by the same steps as in the stories. One sample is
 * shown at a time, because all use the same fakes; of those that wait, only the latest is shown.
 */
export function showSample(canvas: HTMLElement, sample: SampleOptions): Promise<void> {
  const turn = ++latest;
  const previous = showing.catch(() => undefined);
  return (showing = previous.then(() => (turn === latest ? show(canvas, sample) : undefined)));
}

async function show(canvas: HTMLElement, { tag, state, prepare }: SampleOptions): Promise<void> {
  await loadElements();
  if (isBegun) await end();
  isBegun = true;
  canvas.replaceChildren();
  await begin();
  const stories = storiesOf(tag);
  const story = stories.find(({ name }) => name === state) ?? stories.find(isFirst);
  if (!story) return;
  await story.beforeEach?.();
  const page = document.createDocumentFragment();
  const content = story.render();
  if (content instanceof Node) page.append(content);
  else render(content as TemplateResult, page);
  page.querySelectorAll<HTMLElement>(tag).forEach(prepare);
  canvas.append(page);
  // With some attributes a state cannot be reached: a modal form shows nothing.
  await Promise.resolve(story.play?.({ canvasElement: canvas })).catch(() => undefined);
}

let elements: Promise<unknown> | undefined;

/** Loads the built script that the site contains. */
const loadElements = () =>
  (elements ??= import(/* @vite-ignore */ new URL('../elements/connect.js', location.href).href));
