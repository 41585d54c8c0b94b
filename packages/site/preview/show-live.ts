import type { LiveServer } from '../theme/preview-settings.ts';

interface LiveOptions {
  tag: string;
  live: LiveServer;
  /** Sets the attributes and styles of the playground. */
  prepare: (element: HTMLElement) => void;
}

/** Tables need to know who the viewer is. */
const WITH_VIEWER = /^connect-(?!donate$|goal$)/;

/** Shows an element as a page would: with the script of the site's server, and its data. */
export async function showLive(
  canvas: HTMLElement,
  { tag, live, prepare }: LiveOptions,
): Promise<void> {
  const url = `${live.server}/connect.js`;
  if (!(await (script ??= loadScript(url)))) {
    const failure = document.createElement('p');
    failure.className = 'failure';
    failure.textContent = `The script of the server could not be loaded: ${url}. Is the server running?`;
    canvas.replaceChildren(failure);
    return;
  }
  const element = document.createElement(tag);
  if (WITH_VIEWER.test(tag)) element.setAttribute('viewer-token', live.viewer_token);
  if (tag === 'connect-provider')
    element.innerHTML = '<connect-donations limit="5"></connect-donations>';
  prepare(element);
  canvas.replaceChildren(element);
}

let script: Promise<boolean> | undefined;

const loadScript = (url: string) =>
  new Promise<boolean>((resolve) => {
    const element = document.createElement('script');
    element.type = 'module';
    element.src = url;
    element.onload = () => resolve(true);
    element.onerror = () => resolve(false);
    document.head.append(element);
  });
