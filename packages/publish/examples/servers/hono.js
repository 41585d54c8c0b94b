import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { connect } from './connect.js';

const app = new Hono();
app.get('/', (c) => c.text('Your own page'));
app.all('/connect/*', (c) => connect.fetch(c.req.raw, c.env));
serve({ fetch: app.fetch, port: Number(process.env.PORT) });
