import { expect } from '@open-wc/testing';
import { SERVER } from '../test-support/server.ts';
import { server } from '../test-support/set-up.ts';
import { EmbedSession } from './embed-session.ts';
import { renewSession } from './session-recovery.ts';

const open = () =>
  renewSession(new EmbedSession(SERVER, null), new AbortController().signal).then(
    () => 'opened',
    ({ type, message }: { type: string; message: string }) => `${type}: ${message}`,
  );

describe('a failed request for a session is explained to the page’s owner', () => {
  beforeEach(() => server.on('/embed-sessions', () => undefined));

  it('as an origin that is not allowed', async () => {
    server.on('/connect.js', () => new Response(null, { status: 200 }));
    expect(await open()).to.include(
      `unavailable: ${SERVER} does not allow this origin: add "${origin}"`,
    );
  });

  it('as a URL that is not a Connect server', async () => {
    server.on('/connect.js', () => new Response(null, { status: 404 }));
    expect(await open()).to.include(`unavailable: ${SERVER} is not a Connect server`);
    server.on('/embed-sessions', () => new Response('<h1>Not found</h1>', { status: 404 }));
    expect(await open()).to.include(`unavailable: ${SERVER} is not a Connect server`);
  });

  it('as a server that cannot be reached', async () => {
    expect(await open()).to.include(`unavailable: ${SERVER} cannot be reached`);
  });

  it('but not when the response contains an error message', async () => {
    const error = { type: 'not_found', message: 'form: there is no form "gala".' };
    server.on('/embed-sessions', () => new Response(JSON.stringify({ error }), { status: 404 }));
    expect(await open()).to.equal('not_found: form: there is no form "gala".');
    expect(server.requestsTo('/connect.js')).to.have.length(0);
  });
});
