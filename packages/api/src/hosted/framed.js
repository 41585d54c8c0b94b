/*
 * In the hosted page, where a site shows it in a frame: tells the site how tall the page is and
 * whether it is dark, and nothing else; wears the look that the site says. Only sites that may frame
 * the page are told, and only the page around is heard: docs/decisions/0053-hosted-page-in-frames.md
 */
(() => {
  'use strict';
  const page = document.documentElement;
  const scheme = document.querySelector('meta[name=color-scheme]');
  const SCHEMES = { light: 'light', dark: 'dark', auto: 'light dark' };
  const sites = document.currentScript.dataset.sites.split(' ');
  // Where a browser does not say who is around, each is told; the browser hands it to the right one.
  const parentOrigin = location.ancestorOrigins?.[0];
  const isSite = (origin) =>
    sites.some((site) => {
      const [scheme, domain] = site.split('*'); // `https://*.example.org` is every subdomain.
      return domain ? origin.startsWith(scheme) && origin.endsWith(domain) : origin === site;
    });
  const exact = sites.filter((site) => !site.includes('*'));
  const knownOrigins = new Set(parentOrigin === undefined ? exact : [parentOrigin].filter(isSite));

  const postSize = () => {
    const message = {
      type: 'connect-frame',
      height: Math.ceil(page.getBoundingClientRect().height),
      theme: Object.keys(SCHEMES).find((key) => SCHEMES[key] === scheme.content),
    };
    for (const site of knownOrigins) parent.postMessage(message, site);
  };

  const applyTheme = (theme) => {
    if (!Object.hasOwn(SCHEMES, theme)) return;
    scheme.content = SCHEMES[theme];
    // The card's fields are drawn anew when the form's own attribute changes.
    document.querySelector('connect-donate')?.setAttribute('theme', theme);
  };

  addEventListener('message', ({ source, origin, data }) => {
    if (source !== parent || !isSite(origin)) return;
    knownOrigins.add(origin);
    if (data?.type === 'connect-frame-ask') postSize();
    if (data?.type === 'connect-frame-theme') applyTheme(data.theme);
  });
  new ResizeObserver(postSize).observe(page);
})();
