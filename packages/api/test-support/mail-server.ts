import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A mail as a mail server got it. */
export interface Received {
  from: string;
  to: string;
  /** Headers and body, as they came. */
  source: string;
}

/**
 * A mail server that keeps what it gets (RFC 5321, as much of it as is needed).
 *
 * `answers` are for the next recipients, in turn: `550 no such mailbox`; without one it says 250.
 */
export async function startMailServer() {
  const received: Received[] = [];
  const answers: string[] = [];
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket.on('close', () => open.delete(socket)).on('error', () => {}));
    talk(socket, answers, (mail) => received.push(mail));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    for (const socket of open) socket.destroy();
    return new Promise<void>((done) => server.close(() => done()));
  };
  return { url: `smtp://127.0.0.1:${port}`, received, answers, stop };
}

function talk(socket: Socket, answers: string[], keep: (mail: Received) => void) {
  const say = (line: string) => socket.write(`${line}\r\n`);
  let mail: Received = { from: '', to: '', source: '' };
  let inData = false;
  let rest = '';
  const take = (line: string) => {
    if (inData && line !== '.') return void (mail.source += `${line.replace(/^\./, '')}\r\n`);
    const address = /<(.*?)>/.exec(line)?.[1] ?? '';
    if (line === '.') {
      inData = false;
      keep(mail);
      say('250 kept');
    } else if (/^EHLO|^HELO/i.test(line)) {
      say('250 here');
    } else if (/^MAIL FROM/i.test(line)) {
      mail = { from: address, to: '', source: '' };
      say('250 ok');
    } else if (/^RCPT TO/i.test(line)) {
      mail.to = address;
      say(answers.shift() ?? '250 ok');
    } else if (/^DATA/i.test(line)) {
      inData = true;
      say('354 go on');
    } else {
      say('250 ok');
    }
  };
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\r\n');
    rest = lines.pop() ?? '';
    lines.forEach(take);
  });
  say('220 test');
}
