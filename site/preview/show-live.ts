import type { LiveServer } from '../theme/preview-settings.ts';

interface LiveOptions {
  tag: string;
  live: LiveServer;
  /** Sets the attributes and styles of the playground. */
  prepare: (element: HTMLElement) => void;
}

/** Tables need to know who the viewer is. */
const WITH_VIEWER = /^connect-(?!donate$|goal$)/;

/** Shows an element as a page would: with the script of a server, and its data. */
export async function showLive(
  canvas: HTMLElement,
  { tag, live, prepare }: LiveOptions,
): Promise<void> {
  const url = `${live.server.replace(/\/$/, '')}/connect.js`;
  if (!(await loadScript(url))) {
    const failure = document.createElement('p');
    failure.className = 'failure';
    failure.textContent = `The script of this server could not be loaded: ${url}. Is the server running, and is the address correct?`;
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

const scripts = new Map<string, Promise<boolean>>();

function loadScript(url: string): Promise<boolean> {
  const loading =
    scripts.get(url) ??
    new Promise<boolean>((resolve) => {
      const script = document.createElement('script');
      script.type = 'module';
      script.src = url;
      script.onload = () => resolve(true);
      script.onerror = () => resolve(false);
      document.head.append(script);
    });
  scripts.set(url, loading);
  return loading;
}
