import { ConnectError, invalidRequest } from './error.ts';

/** What is needed of the socket that a Node server hands over. */
interface Line {
  writable: boolean;
  destroy(): unknown;
  end(text: string): unknown;
}

/** Answers a request that never became one (a bad Host or path) in the envelope of every other. */
export function answerMalformed(error: unknown): Response {
  const { name, message } = error as Error;
  const answer =
    name === 'RequestError'
      ? invalidRequest('request', `${message}.`)
      : new ConnectError('server_error', 'Something went wrong on our side.');
  return Response.json(answer.toJSON(), { status: answer.status });
}

const STATUS_LINES: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** The same one layer below, where the bytes were no HTTP at all. */
export function refuseConnection(error: Error & { code?: string }, socket: Line): void {
  if (!socket.writable) return void socket.destroy();
  const status = STATUS_LINES[error.code ?? ''] ?? '400 Bad Request';
  const body = JSON.stringify(invalidRequest('request', 'is not valid HTTP.'));
  const head = `content-type: application/json\r\ncontent-length: ${new TextEncoder().encode(body).length}`;
  socket.end(`HTTP/1.1 ${status}\r\n${head}\r\nconnection: close\r\n\r\n${body}`);
}
