import { expect } from '@open-wc/testing';
import { SERVER } from '../test-support/server.ts';
import { server } from '../test-support/set-up.ts';
import { readResponse } from './request-recovery.ts';

const load = () =>
  readResponse(SERVER, fetch(`${SERVER}/embed-form`), new AbortController().signal).then(
    () => 'loaded',
    ({ type, message }: { type: string; message: string }) => `${type}: ${message}`,
  );

describe('a failed request for a form is explained to the page’s owner', () => {
  beforeEach(() => server.on('/embed-form', () => undefined));

  it('as an origin that is not allowed', async () => {
    server.on('/connect.js', () => new Response(null, { status: 200 }));
    expect(await load()).to.include(
      `unavailable: ${SERVER} does not allow this origin: add "${origin}"`,
    );
  });

  it('as a URL that is not a Connect server', async () => {
    server.on('/connect.js', () => new Response(null, { status: 404 }));
    expect(await load()).to.include(`unavailable: ${SERVER} is not a Connect server`);
    server.on('/embed-form', () => new Response('<h1>Not found</h1>', { status: 404 }));
    expect(await load()).to.include(`unavailable: ${SERVER} is not a Connect server`);
  });

  it('as a server that cannot be reached', async () => {
    expect(await load()).to.include(`unavailable: ${SERVER} cannot be reached`);
  });

  it('but not when the response contains an error message', async () => {
    const error = { type: 'not_found', message: 'form: there is no form "gala".' };
    server.on('/embed-form', () => new Response(JSON.stringify({ error }), { status: 404 }));
    expect(await load()).to.equal('not_found: form: there is no form "gala".');
    expect(server.requestsTo('/connect.js')).to.have.length(0);
  });
});
