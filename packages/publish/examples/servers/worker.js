import { givingPages } from '@connect-embed/donor-pages/giving-page';
import { createConnectServer } from '@connect-embed/server';
import { scripts } from '@connect-embed/server/scripts';

let connect;

export default {
  fetch(request, env) {
    connect ??= createConnectServer(
      {
        scripts,
        basePath: '/connect',
        apiBase: env.CONNECT_API_BASE,
        apiKey: env.CONNECT_API_KEY,
        sessionSecret: env.SESSION_SECRET,
        origins: ['https://www.example.org'],
        viewer: { secret: env.VIEWER_SECRET },
        clientIp: (request) => request.headers.get('cf-connecting-ip') ?? undefined,
      },
      givingPages(),
    );
    return connect.fetch(request, env);
  },
};
