/** Runs an embedded PostgreSQL in its own process: `node embedded-process.ts <data folder>`. */
import { startEmbedded } from '../../src/db/embedded.ts';

const [dataDir = ''] = process.argv.slice(2);
try {
  const { url, stop } = await startEmbedded({
    dataDir,
    log: (sentence) => console.error(sentence),
  });
  process.once('SIGTERM', () => void stop());
  console.log(url);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
