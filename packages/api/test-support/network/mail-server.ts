import { createServer, type AddressInfo, type Socket } from 'node:net';

/** An email as the server received it. */
interface ReceivedMail {
  from: string;
  to: string;
  /** Headers and body as received. */
  source: string;
}

/**
 * A minimal SMTP server that stores received emails (RFC 5321).
 *
 * `replies` are the replies to the next recipients, in order, for example `550 no such mailbox`. If
 * there is none, the server replies 250.
 */
export async function startMailServer() {
  const received: ReceivedMail[] = [];
  const replies: string[] = [];
  const openSockets = new Set<Socket>();
  const server = createServer((socket) => {
    openSockets.add(socket.on('close', () => openSockets.delete(socket)).on('error', () => {}));
    handleConnection(socket, replies, (mail) => received.push(mail));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    for (const socket of openSockets) socket.destroy();
    return new Promise<void>((done) => server.close(() => done()));
  };
  return { url: `smtp://127.0.0.1:${port}`, received, replies, stop };
}

function handleConnection(socket: Socket, replies: string[], onMail: (mail: ReceivedMail) => void) {
  const reply = (line: string) => socket.write(`${line}\r\n`);
  let mail: ReceivedMail = { from: '', to: '', source: '' };
  let inData = false;
  let rest = '';
  const readLine = (line: string) => {
    if (inData && line !== '.') return void (mail.source += `${line.replace(/^\./, '')}\r\n`);
    const address = /<(.*?)>/.exec(line)?.[1] ?? '';
    if (line === '.') {
      inData = false;
      onMail(mail);
      reply('250 kept');
    } else if (/^EHLO|^HELO/i.test(line)) {
      socket.write('250-here\r\n');
      reply('250 AUTH PLAIN');
    } else if (/^AUTH/i.test(line)) {
      reply('535 no such user');
    } else if (/^MAIL FROM/i.test(line)) {
      mail = { from: address, to: '', source: '' };
      reply('250 ok');
    } else if (/^RCPT TO/i.test(line)) {
      mail.to = address;
      reply(replies.shift() ?? '250 ok');
    } else if (/^DATA/i.test(line)) {
      inData = true;
      reply('354 go on');
    } else {
      reply('250 ok');
    }
  };
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\r\n');
    rest = lines.pop() ?? '';
    lines.forEach(readLine);
  });
  reply('220 test');
}
