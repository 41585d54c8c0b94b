/** Receiver of the benchmark `deliveries.ts`: a bare HTTP server that responds 204 to every request. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(204).end());
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`Receiver listening on http://127.0.0.1:${port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
