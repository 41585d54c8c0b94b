import { after, test } from 'node:test';
import { join } from 'node:path';
import { build } from 'vite';
import { startSystem } from '../../../../../test/support/system.ts';
import { checkMountedServer } from '../check-mounted-server.ts';
import { RecipeFolder } from '../recipe-folder.ts';

const system = await startSystem();
after(() => system.close());
const folder = new RecipeFolder(['workerd']);
after(() => folder.remove());

/** Runs the bundled worker, which may reach the API on this machine. */
const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "worker", worker = (
      modules = [(name = "worker.js", esModule = embed "dist/worker.js")],
      compatibilityDate = "2026-01-01",
      bindings = [
        (name = "CONNECT_API_BASE", fromEnvironment = "CONNECT_API_BASE"),
        (name = "CONNECT_API_KEY", fromEnvironment = "CONNECT_API_KEY"),
        (name = "SESSION_SECRET", fromEnvironment = "SESSION_SECRET"),
        (name = "VIEWER_SECRET", fromEnvironment = "VIEWER_SECRET"),
      ],
    )),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", http = (), service = "worker")],
);
`;

test('the Connect server mounted by servers/worker.js takes a donation in workerd', async (t) => {
  folder.add('servers/worker.js');
  folder.write('config.capnp', CONFIG);
  await build({
    root: folder.path,
    configFile: false,
    logLevel: 'error',
    ssr: { target: 'webworker', noExternal: true },
    build: { ssr: join(folder.path, 'worker.js') },
  });
  const workerd = join(folder.path, 'node_modules/.bin/workerd');
  const args = ['serve', 'config.capnp', '--socket-addr', 'http=localhost:PORT'];
  const url = await folder.start(t, system, workerd, args);
  await checkMountedServer(system, url);
});
