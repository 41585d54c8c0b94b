import { after, describe, test } from 'node:test';
import { startSystem } from '../../../../test/support/system.ts';
import { RecipeFolder } from './recipe-folder.ts';
import { checkMountedServer, checkOwnSession } from './check-mounted-server.ts';

const system = await startSystem();
after(() => system.close());
const folder = new RecipeFolder(['hono', '@hono/node-server', 'express', 'fastify']);
after(() => folder.remove());

describe('the Connect server', () => {
  for (const file of ['hono.js', 'express.js', 'fastify.js']) {
    test(`mounted by servers/${file} takes a donation`, async (t) => {
      folder.add('servers/connect.js', `servers/${file}`);
      const url = await folder.start(t, system, process.execPath, [file]);
      await checkMountedServer(system, url);
    });
  }

  test('behind sessions/giving-session.js returns what fetchSession needs', async (t) => {
    folder.add('servers/connect.js', 'sessions/giving-session.js');
    folder.write(
      'own-endpoint.js',
      `import { serve } from '@hono/node-server';
       import { Hono } from 'hono';
       import { connect } from './connect.js';
       import { givingSession } from './giving-session.js';
       const app = new Hono();
       app.all('/connect/*', (c) => connect.fetch(c.req.raw, c.env));
       app.get('/', (c) => c.text('Your own page'));
       app.post('/giving-session', (c) => givingSession(c.req.header('viewer')));
       serve({ fetch: app.fetch, port: Number(process.env.PORT) });`,
    );
    const url = await folder.start(t, system, process.execPath, ['own-endpoint.js']);
    await checkOwnSession(url);
  });
});
