import { createServer } from 'node:http';
import type { Addresses } from '../../support/house.ts';

interface HostPage {
  body: string;
  policy?: string;
}

/**
 * Pages as other people write them, on an origin that may embed.
 *
 * Under `127.0.0.1` the same pages have an origin that may not: the list is exact.
 */
export async function openHostPages(port: number, house: Addresses) {
  const pages = hostPages(house);
  const server = createServer((request, response) => {
    const page = pages[request.url ?? ''];
    if (!page) return void response.writeHead(204).end();
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    if (page.policy) response.setHeader('Content-Security-Policy', page.policy);
    response.end(
      `<!doctype html><html lang="en"><head><title>A page</title>
      <meta name="viewport" content="width=device-width"></head><body>${page.body}</body></html>`,
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return { close: () => (server.close(), server.closeAllConnections()) };
}

function hostPages({ server, sandbox, api_base }: Addresses): Record<string, HostPage> {
  const script = `<script type="module" src="${server}/connect.js"></script>`;
  const classic = `<script async src="${server}/connect.js?again"></script>`;
  const form = '<connect-donate></connect-donate>';
  const strict = [
    "default-src 'none'",
    `script-src ${server} ${sandbox}`,
    "style-src 'none'",
    `connect-src ${server} ${new URL(api_base).origin} ${sandbox}`,
    `frame-src ${sandbox}`,
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types lit-html connect',
  ].join('; ');
  return {
    '/plain': { body: script + form },
    '/bare': { body: script },
    '/twice': { body: script + form + script + classic + classic },
    '/strict': { body: script + form, policy: strict },
    '/nowhere': { body: `${script}<connect-donate form="nowhere"></connect-donate>` },
  };
}
