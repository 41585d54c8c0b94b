/*
 * For sites that show a hosted page in an <iframe>: keeps the frame as tall as the page in it, and as
 * light or dark as the page around it.
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
  /** What each frame was last seen or told to wear. */
  const appliedThemes = new WeakMap();

  addEventListener('message', ({ origin, source, data }) => {
    if (origin !== hosted || data?.type !== 'connect-frame' || !(data.height > 0)) return;
    const frame = frames().find(({ contentWindow }) => contentWindow === source);
    if (!frame) return;
    const { boxSizing } = getComputedStyle(frame);
    const border = boxSizing === 'border-box' ? frame.offsetHeight - frame.clientHeight : 0;
    frame.style.height = `${data.height + border}px`;
    appliedThemes.set(frame, data.theme);
    // Sites switch their look by an attribute of their root or their body.
    for (const element of [document.documentElement, document.body, frame]) {
      themeObserver.observe(element, { attributes: true });
    }
    applyTheme(frame);
  });

  /** By its own attribute or one around it, else by the `color-scheme` that the page gives it. */
  const themeOf = (frame) => {
    const value = frame.closest('[data-theme]')?.dataset.theme;
    if (['light', 'dark', 'auto'].includes(value)) return value;
    const { colorScheme } = getComputedStyle(frame);
    if (!/\bdark\b/.test(colorScheme)) return 'light';
    return /\blight\b/.test(colorScheme) ? 'auto' : 'dark';
  };

  /** An address that names a look has the last word. */
  const applyTheme = (frame) => {
    const theme = themeOf(frame);
    if (appliedThemes.get(frame) === theme || /[?&]theme=/.test(frame.src)) return;
    appliedThemes.set(frame, theme);
    frame.contentWindow?.postMessage({ type: 'connect-frame-theme', theme }, hosted);
  };

  const themeObserver = new MutationObserver(() => {
    for (const frame of frames()) if (appliedThemes.has(frame)) applyTheme(frame);
  });

  // Frames that were here first have told nobody. What is asked says nothing, so anybody may hear it.
  for (const frame of frames())
    frame.contentWindow?.postMessage({ type: 'connect-frame-ask' }, '*');
})();
