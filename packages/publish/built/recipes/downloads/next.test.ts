import { after, test } from 'node:test';
import { startSystem } from '../../../../../test/support/system.ts';
import { checkMountedServer } from '../check-mounted-server.ts';
import { RecipeFolder } from '../recipe-folder.ts';

const system = await startSystem();
after(() => system.close());
const folder = new RecipeFolder(['next', 'react', 'react-dom']);
after(() => folder.remove());

const PAGE = 'export default () => <p>Your own page</p>;\n';
const LAYOUT = `export default ({ children }) => <html lang="en"><body>{children}</body></html>;\n`;

test('the Connect server mounted by servers/next-route.js takes a donation', async (t) => {
  folder.add('servers/connect.js', 'servers/next.config.js');
  folder.addAs('servers/next-route.js', 'app/connect/[...path]/route.js');
  folder.write('app/page.jsx', PAGE);
  folder.write('app/layout.jsx', LAYOUT);
  folder.run('npx', ['next', 'build']);
  const url = await folder.start(t, system, 'npx', ['next', 'start', '--port', 'PORT']);
  await checkMountedServer(system, url);
});
