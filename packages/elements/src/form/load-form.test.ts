import { expect } from '@open-wc/testing';
import '../define.ts';
import { Donor } from '../test-support/donor.ts';
import { errorResponse, SERVER } from '../test-support/server.ts';
import { server } from '../test-support/set-up.ts';
import { waitUntil } from '../test-support/wait-until.ts';

const { error } = console;
let lines: string[];

beforeEach(() => {
  lines = [];
  console.error = (...parts: unknown[]) => void lines.push(parts.map(String).join(' '));
});
afterEach(() => (console.error = error));

/** Waits for a form that cannot be loaded, and for the number of lines in the console. */
async function loadedWith(count: number): Promise<string> {
  const donor = await Donor.render();
  await donor.waitFor('.message');
  await waitUntil(() => lines.length >= count, `${count} lines in the console`);
  expect(lines).to.have.length(count);
  for (const line of lines) expect(line).to.match(/^<connect-donate form="gala">/);
  return lines.join('\n');
}

describe('a failed request for a form is explained to the page’s owner', () => {
  beforeEach(() => server.on('/embed-form', () => undefined));

  it('as an origin that is not allowed', async () => {
    server.on('/connect.js', () => new Response(null, { status: 200 }));
    expect(await loadedWith(2)).to.include(`${SERVER} does not allow this origin: add "${origin}"`);
  });

  it('as a URL that is not a Connect server, without a response', async () => {
    server.on('/connect.js', () => new Response(null, { status: 404 }));
    expect(await loadedWith(2)).to.include(`${SERVER} is not a Connect server`);
  });

  it('as a URL that is not a Connect server, with the response of another one', async () => {
    server.on('/connect.js', () => new Response(null, { status: 404 }));
    server.on('/embed-form', () => new Response('<h1>Not found</h1>', { status: 404 }));
    expect(await loadedWith(2)).to.include(`${SERVER} is not a Connect server`);
  });

  it('as a server that cannot be reached', async () => {
    expect(await loadedWith(2)).to.include(`${SERVER} cannot be reached. Check the URL`);
  });

  it('but not when the response contains an error message', async () => {
    server.on('/embed-form', () => errorResponse('not_found', 'form: there is no form "gala".'));
    expect(await loadedWith(1)).to.include('form: there is no form "gala".');
    expect(server.requestsTo('/connect.js')).to.have.length(0);
  });
});
