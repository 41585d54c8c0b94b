import { getRequestListener } from '@hono/node-server';
import fastify from 'fastify';
import { connect } from './connect.js';

const app = fastify();
app.register(async (scope) => {
  // The Connect server reads the request's body itself.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (request, body, done) => done(null));
  const listener = getRequestListener(connect.fetch);
  scope.all('/connect/*', (request, reply) => {
    reply.hijack();
    return listener(request.raw, reply.raw);
  });
});
app.get('/', () => 'Your own page');
await app.listen({ port: Number(process.env.PORT) });
