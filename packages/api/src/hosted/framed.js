/*
 * In the hosted page, where a site shows it in a frame: tells the site how tall the page is, and
 * nothing else. Only sites that may frame the page are told, and only the page around is heard:
 * docs/decisions/0053-hosted-page-in-frames.md
 */
(() => {
  'use strict';
  const page = document.documentElement;
  const sites = document.currentScript.dataset.sites.split(' ');
  // Where a browser does not say who is around, each is told; the browser hands it to the right one.
  const around = location.ancestorOrigins?.[0];
  const told = around === undefined ? sites : sites.filter((site) => site === around);

  const tell = () => {
    const message = {
      type: 'connect-frame',
      height: Math.ceil(page.getBoundingClientRect().height),
    };
    for (const site of told) parent.postMessage(message, site);
  };

  addEventListener('message', ({ source, origin, data }) => {
    if (source === parent && told.includes(origin) && data?.type === 'connect-frame-ask') tell();
  });
  new ResizeObserver(tell).observe(page);
})();
