import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Addresses } from '../../support/system.ts';
import { buildApp } from './build-app.ts';
import { CASES } from './host-cases.ts';
import { slugOf, type HostPage } from './host-case.ts';

const TYPES: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css' };
const MODULES = new URL('../../../node_modules/', import.meta.url);

/** Serves `/hosts/…`: the host pages, and their third-party files. */
export async function serveHost(path: string, response: ServerResponse, system: Addresses) {
  const [kind, ...rest] = path.replace('/hosts/', '').split('/');
  const file = rest.join('/');
  try {
    if (kind === 'apps') return send(response, await buildApp(file.replace('.js', '')), '.js');
    if (kind === 'files') {
      const text = await readFile(fileURLToPath(new URL(file, MODULES)));
      return send(response, text, extname(file));
    }
    const page = findPage(kind!, file, system);
    if (!page) return response.writeHead(404).end();
    if (page.policy) response.setHeader('Content-Security-Policy', page.policy);
    return send(response, documentOf(page), '.html');
  } catch (error) {
    console.error(error);
    return response.writeHead(500).end();
  }
}

function findPage(slug: string, part: string, system: Addresses): HostPage | undefined {
  const hostCase = CASES.find((item) => slugOf(item) === slug);
  const nonce = randomBytes(16).toString('base64');
  const script = `<script type="module" src="${system.server}/connect.js"></script>`;
  const context = { ...system, script, nonce };
  return part ? hostCase?.parts?.(context)[part] : hostCase?.page(context);
}

const send = (response: ServerResponse, body: string | Buffer, extension: string) =>
  response
    .writeHead(200, { 'Content-Type': `${TYPES[extension] ?? 'text/html'}; charset=utf-8` })
    .end(body);

const documentOf = ({ head = '', body }: HostPage) =>
  `<!doctype html><html lang="en"><head><title>A page</title>
  <meta name="viewport" content="width=device-width">${head}</head>
  <body>${body}</body></html>`;
