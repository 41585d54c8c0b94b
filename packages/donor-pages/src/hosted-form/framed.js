/*
 * Script of the hosted donation page when a site shows it in a frame. It reports the page's height
 * and theme to the site, and applies the theme that the site sends. Messages are sent only to sites
 * that may frame the page, and accepted only from the parent window:
 * docs/decisions/0023-hosted-page.md
 */
// The block keeps these names out of the global scope of the page.
{
  const page = document.documentElement;
  const scheme = document.querySelector('meta[name=color-scheme]');
  const SCHEMES = { light: 'light', dark: 'dark', auto: 'light dark' };
  const sites = document.currentScript.dataset.sites.split(' ');
  // If the browser does not support `ancestorOrigins`, the message is sent to every allowed site.
  // The browser delivers it only to the real parent.
  const parentOrigin = location.ancestorOrigins?.[0];
  const isSite = (origin) =>
    sites.some((site) => {
      const [scheme, domain] = site.split('*'); // `https://*.example.org` allows every subdomain.
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
    // The card fields are rendered again when this attribute changes.
    document.querySelector('connect-donate')?.setAttribute('theme', theme);
  };

  addEventListener('message', ({ source, origin, data }) => {
    if (source !== parent || !isSite(origin)) return;
    knownOrigins.add(origin);
    if (data?.type === 'connect-frame-ask') postSize();
    if (data?.type === 'connect-frame-theme') applyTheme(data.theme);
  });
  new ResizeObserver(postSize).observe(page);
}
