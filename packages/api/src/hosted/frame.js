/*
 * For sites that show a hosted page in an <iframe>: keeps the frame as tall as the page in it.
 *
 *   <script async src="https://…/embed/frame.js"></script>
 *
 * Hears the address that this file came from and no other, and of that only frames of this page.
 * Without this file a frame has the height that the site gives it, and scrolls.
 */
(() => {
  'use strict';
  const hosted = new URL(document.currentScript.src).origin;
  const frames = () => [...document.querySelectorAll('iframe')];

  addEventListener('message', ({ origin, source, data }) => {
    if (origin !== hosted || data?.type !== 'connect-frame' || !(data.height > 0)) return;
    const frame = frames().find(({ contentWindow }) => contentWindow === source);
    if (!frame) return;
    const { boxSizing } = getComputedStyle(frame);
    const border = boxSizing === 'border-box' ? frame.offsetHeight - frame.clientHeight : 0;
    frame.style.height = `${data.height + border}px`;
  });

  // Frames that were here first have told nobody. What is asked says nothing, so anybody may hear it.
  for (const frame of frames())
    frame.contentWindow?.postMessage({ type: 'connect-frame-ask' }, '*');
})();
