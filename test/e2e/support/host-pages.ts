import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { listen } from '../../support/listen.ts';
import type { Addresses } from '../../support/system.ts';
import { serveHost } from '../hosts/serve-hosts.ts';
import { guidePage } from './guide-examples.ts';
import { bareSnippet, snippetOfReadme, wordpressPage } from './wordpress-page.ts';

const GUIDE = readFileSync(new URL('../../../docs/donation-form.md', import.meta.url), 'utf8');
/** The CSS with which the guide reserves the height of a form. */
const [, GUIDE_CSS] = /^```css\n(connect-donate:not\(:defined\).*?)^```$/ms.exec(GUIDE)!;

interface HostPage {
  body: string;
  policy?: string;
  embedderPolicy?: string;
}

/**
 * Serves pages of website owners, on an origin that may embed.
 *
 * The same pages on `127.0.0.1` have an origin that may not embed, because the allow-list is exact.
 */
export async function serveHostPages(port: number, system: Addresses) {
  const pages = hostPagesFor(system);
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0]!;
    if (path.startsWith('/hosts/')) return void serveHost(path, response, system);
    // A page into which a website owner has pasted the code in the query.
    const pasted =
      path === '/pasted' && new URL(`http://host${request.url}`).searchParams.get('code');
    const guide = /^\/guide\/(\d+)$/.exec(path)?.[1];
    const body = pasted || (guide && guidePage(Number(guide), system));
    const page = body ? { body } : pages[request.url ?? ''];
    if (!page) return void response.writeHead(204).end();
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    if (page.policy) response.setHeader('Content-Security-Policy', page.policy);
    if (page.embedderPolicy)
      response.setHeader('Cross-Origin-Embedder-Policy', page.embedderPolicy);
    response.end(
      `<!doctype html><html lang="en"><head><title>A page</title>
      <meta name="viewport" content="width=device-width"></head><body>${page.body}</body></html>`,
    );
  });
  return await listen(server, port);
}

function hostPagesFor(system: Addresses): Record<string, HostPage> {
  const { server, sandbox, api_base } = system;
  const script = `<script type="module" src="${server}/connect.js"></script>`;
  const classic = `<script async src="${server}/connect.js?again"></script>`;
  const form = '<connect-donate></connect-donate>';
  const gala = '<connect-donate form="gala"></connect-donate>';
  const goal = (campaign: string) =>
    `<style>connect-goal:not(:defined) { display: block; min-block-size: calc(3.375em + 68px) }</style><main>
    <connect-goal campaign="${campaign}">We cook all winter.</connect-goal><p>Below it</p></main>`;
  const frame = (name: string) =>
    `<iframe src="${server}/embed/${name}" title="Donate" allow="payment" width="100%"
      height="600"></iframe>`;
  const frameScript = `<script async src="${new URL('/embed/frame.js', api_base)}"></script>`;
  const strictPolicy = [
    "default-src 'none'",
    `script-src ${server} ${sandbox}`,
    "style-src 'none'",
    `connect-src ${server} ${new URL(api_base).origin} ${sandbox}`,
    `frame-src ${sandbox}`,
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types connect lit-html',
  ].join('; ');
  const trustedTypesPolicy = [
    "default-src 'none'",
    `script-src ${server} ${sandbox} https://challenges.cloudflare.com https://js.hcaptcha.com`,
    'connect-src http://localhost:*',
    `frame-src ${sandbox}`,
    "require-trusted-types-for 'script'",
    'trusted-types connect lit-html',
  ].join('; ');
  const tallReservedHeight =
    '<style>connect-donate:not(:defined) { display: block; min-block-size: 1500px }</style>';
  const formBetweenText = (display: string) =>
    `${script}<style>${GUIDE_CSS}</style><main><p>${'Above it. '.repeat(60)}</p><a href="#give">To the form</a>
    <connect-donate id="give" display="${display}"></connect-donate>
    ${`<p>${'Below it. '.repeat(60)}</p>`.repeat(12)}</main>`;
  const snippetBetweenText = (snippet: string) =>
    `<main><p>Above it.</p>${snippet}${`<p>${'Below it. '.repeat(60)}</p>`.repeat(12)}</main>`;
  return {
    '/readme': { body: snippetBetweenText(snippetOfReadme(system)) },
    '/readme-bare': { body: snippetBetweenText(bareSnippet(system)) },
    '/apart-inline': { body: formBetweenText('inline') },
    '/apart-button': { body: formBetweenText('button') },
    '/apart-sticky': { body: formBetweenText('sticky') },
    '/apart-modal': { body: formBetweenText('modal') },
    '/wordpress': { body: wordpressPage(snippetOfReadme(system)) },
    '/wordpress-bare': { body: wordpressPage(bareSnippet(system)) },
    '/reserved': { body: script + tallReservedHeight + form },
    '/reserved-nowhere': {
      body: `${script}${tallReservedHeight}<connect-donate form="nowhere"></connect-donate>`,
    },
    '/plain': { body: script + form },
    '/german': { body: `${script}<connect-donate locale="de"></connect-donate>` },
    // Elements with these ids become properties of `window`.
    '/named': {
      body: `<h1 id="ConnectEmbed">Connect</h1><h2 id="Stripe">Stripe</h2>${script}${form}`,
    },
    '/bare': { body: script },
    '/slash': {
      body: `${script}<main><h1>Give</h1>
      <connect-donate />
      <section><h2>Volunteer with us</h2></section>
      </main>`,
    },
    '/twice': { body: script + form + script + classic + classic },
    '/strict': { body: script + form, policy: strictPolicy },
    '/framed': { body: `${frameScript}<main>${frame('default')}</main>` },
    '/framed-srcdoc': {
      body: `<iframe title="Donate" width="100%" height="1400" srcdoc='${script}<main>${gala}</main>'></iframe>`,
    },
    '/isolated': { body: script + form, embedderPolicy: 'require-corp' },
    '/framed-late': { body: `<main>${frame('default')}</main>` },
    '/framed-nowhere': { body: `<main>${frame('nowhere')}</main>` },
    '/framed-dark': { body: `<main>${frame('default?theme=dark')}</main>` },
    '/checked': { body: `<main><h1>Give</h1></main>${script}`, policy: trustedTypesPolicy },
    '/goal': { body: script + goal('camp_winter') },
    '/goal-and-form': {
      body: script + goal('camp_winter') + gala,
    },
    '/form-with-goal': { body: `<main><h1>Give</h1>${gala}</main>${script}` },
    '/goal-unknown': { body: script + goal('camp_x') },
    '/nowhere': { body: `${script}<connect-donate form="nowhere"></connect-donate>` },
  };
}
