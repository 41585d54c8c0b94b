import { givingPages } from '@connect-embed/donor-pages/giving-page';
import { createConnectServer } from '@connect-embed/server';
import { clientAddress, nodeOptions } from '@connect-embed/server/node';

export const connect = createConnectServer(
  {
    ...nodeOptions(),
    basePath: '/connect',
    apiBase: process.env.CONNECT_API_BASE,
    apiKey: process.env.CONNECT_API_KEY,
    sessionSecret: process.env.SESSION_SECRET,
    origins: ['https://www.example.org'],
    viewer: { secret: process.env.VIEWER_SECRET },
    clientIp: clientAddress(Number(process.env.TRUST_PROXY ?? 0)), // How many proxies are in front.
  },
  givingPages(),
);
