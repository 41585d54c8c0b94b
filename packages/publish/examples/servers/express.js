import { getRequestListener } from '@hono/node-server';
import express from 'express';
import { connect } from './connect.js';

const app = express();
// Before `express.json()`, because the Connect server reads the request's body itself.
app.all('/connect/*path', getRequestListener(connect.fetch));
app.use(express.json());
app.get('/', (request, response) => response.send('Your own page'));
app.listen(Number(process.env.PORT));
