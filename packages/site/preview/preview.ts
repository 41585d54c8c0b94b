/**
 * The page in the playground's frame. It shows one element, with sample data or from a real server, as
 * the messages of the page around it say.
 */
import {
  loadServer,
  type LiveServer,
  type PreviewMessage,
  type PreviewSettings,
} from '../theme/preview-settings.ts';
import { outlinePart } from './outline-part.ts';
import { showLive } from './show-live.ts';

const canvas = document.querySelector<HTMLElement>('#canvas')!;
const send = (message: PreviewMessage) => parent.postMessage(message, location.origin);

const siteServer = loadServer('../playground.json');
/** A document has either live or sample data, because each loads a script of its own. */
let isLive: boolean | undefined;
let shown = '';

async function show(settings: PreviewSettings): Promise<void> {
  const live = settings.isSample ? null : await siteServer;
  isLive ??= live !== null;
  if (isLive !== (live !== null)) return location.reload();
  document.documentElement.style.colorScheme = settings.scheme;
  document.documentElement.dir = settings.direction ?? 'ltr';
  await showElement(settings, live);
  outlinePart(canvas, settings.tag, settings.part);
}

/** Creates the element anew when its settings have changed, as a page that opens would. */
async function showElement(
  { tag, attributes, styles = {}, state }: PreviewSettings,
  live: LiveServer | null,
) {
  const wanted = JSON.stringify([tag, attributes, styles, state]);
  if (wanted === shown) return;
  shown = wanted;
  document.documentElement.dataset['preview'] = 'drawing';
  const prepare = (element: HTMLElement) => {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    for (const [name, value] of Object.entries(styles)) element.style.setProperty(name, value);
  };
  if (live) await showLive(canvas, { tag, live, prepare });
  else {
    const { showSample, stateNames } = await import('./show-sample.ts');
    send({ type: 'states', names: stateNames(tag) });
    await showSample(canvas, { tag, state, prepare });
  }
  if (wanted === shown) document.documentElement.dataset['preview'] = 'drawn';
}

// One after the other: the fakes of the sample data belong to one element at a time.
let queue = Promise.resolve();
addEventListener('message', ({ source: sender, origin, data }: MessageEvent<PreviewSettings>) => {
  if (sender !== parent || origin !== location.origin) return;
  queue = queue.then(() => show(data)).catch(console.error);
});
new ResizeObserver(() => send({ type: 'height', height: document.body.offsetHeight })).observe(
  document.body,
);
send({ type: 'ready' });
