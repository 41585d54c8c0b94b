/** Draws the API reference with Scalar. Everything that would leave this origin is off. */
const mount = document.querySelector('#reference');
const { createApiReference } = await import(mount.dataset.scalar);
mount.replaceChildren();

createApiReference(mount, {
  url: '/docs/reference.json',
  // The page's own style sheet sets the theme.
  theme: 'none',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  persistAuth: false,
  documentDownloadType: 'none',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hiddenClients: {
    ...Object.fromEntries(
      [
        'c',
        'clojure',
        'csharp',
        'dart',
        'fsharp',
        'go',
        'http',
        'java',
        'js',
        'julia',
        'kotlin',
        'objc',
        'ocaml',
        'powershell',
        'r',
        'rust',
        'swift',
      ].map((language) => [language, true]),
    ),
    node: ['axios', 'ofetch', 'undici'],
    php: ['guzzle', 'laravel'],
    python: ['aiohttp', 'httpx_async', 'httpx_sync', 'python3'],
    shell: ['httpie', 'wget'],
  },
});
