/*
 * Script for sites that show a hosted donation page in an <iframe>. It adjusts the height of the
 * frame to the page, and the light or dark theme of the page to the site.
 *
 * <script async src="https://…/embed/frame.js"></script>
 *
 * It accepts messages only from the origin of this file and only from frames of this document.
 * Without it the frame has a fixed height and scrolls.
 */
// The block keeps these names out of the global scope of the site.
{
  const hosted = new URL(document.currentScript.src).origin;
  const frames = () => [...document.querySelectorAll('iframe')];
  /** The theme last reported by or sent to each frame. */
  const appliedThemes = new WeakMap();

  addEventListener('message', ({ origin, source, data }) => {
    if (origin !== hosted || data?.type !== 'connect-frame' || !(data.height > 0)) return;
    const frame = frames().find(({ contentWindow }) => contentWindow === source);
    if (!frame) return;
    const { boxSizing } = getComputedStyle(frame);
    const border = boxSizing === 'border-box' ? frame.offsetHeight - frame.clientHeight : 0;
    frame.style.height = `${data.height + border}px`;
    appliedThemes.set(frame, data.theme);
    // Sites usually switch their theme by an attribute of the root or body element.
    for (const element of [document.documentElement, document.body, frame]) {
      themeObserver.observe(element, { attributes: true });
    }
    applyTheme(frame);
  });

  /**
   * The theme of a frame: from the nearest `data-theme` attribute, else from its `color-scheme`.
   */
  const themeOf = (frame) => {
    const value = frame.closest('[data-theme]')?.dataset.theme;
    if (['light', 'dark', 'auto'].includes(value)) return value;
    const { colorScheme } = getComputedStyle(frame);
    if (!/\bdark\b/.test(colorScheme)) return 'light';
    return /\blight\b/.test(colorScheme) ? 'auto' : 'dark';
  };

  /** Sends the theme to the frame, unless its URL sets one. */
  const applyTheme = (frame) => {
    const theme = themeOf(frame);
    if (appliedThemes.get(frame) === theme || /[?&]theme=/.test(frame.src)) return;
    appliedThemes.set(frame, theme);
    frame.contentWindow?.postMessage({ type: 'connect-frame-theme', theme }, hosted);
  };

  const themeObserver = new MutationObserver(() => {
    for (const frame of frames()) if (appliedThemes.has(frame)) applyTheme(frame);
  });

  // Frames that loaded before this script have already sent their size, so it is requested again.
  // The request contains no data and may therefore go to any origin.
  for (const frame of frames())
    frame.contentWindow?.postMessage({ type: 'connect-frame-ask' }, '*');
}
