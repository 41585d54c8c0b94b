import { createSocket } from 'node:dgram';

/**
 * Starts a DNS server whose responses the test defines, with a TTL of 0. It simulates DNS rebinding,
 * where a name changes its address between two lookups.
 *
 * @param addressesFor returns the IPv4 addresses of a name; undefined to send no response
 */
export async function startNameServer(
  addressesFor: (name: string) => readonly string[] | undefined,
) {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    const addresses = addressesFor(name);
    if (!addresses) return;
    const records = type === TYPE_A ? addresses.map(recordOf) : [];
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180, 2); // Flags: a response without error.
    header.writeUInt16BE(records.length, 6);
    header.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), port, address);
  });
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    stop: () => new Promise<void>((done) => socket.close(done)),
  };
}

const TYPE_A = 1;

function readQuestion(message: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at]!; length > 0; length = message[at]!) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/**
 * Encodes a DNS record: a pointer to the name in the question, type A, class IN, TTL 0, and the four
 * bytes of the address.
 */
const recordOf = (address: string) =>
  Buffer.from([0xc0, 0x0c, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]);
