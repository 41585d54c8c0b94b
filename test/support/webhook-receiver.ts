import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from './listen.ts';

/** A received webhook request: the three headers of Standard Webhooks, and the raw body. */
interface ReceivedWebhook {
  id: string;
  timestamp: string;
  signatures: string[];
  body: string;
}

export interface WebhookReceiver {
  url: string;
  requests: ReceivedWebhook[];
  close: () => Promise<void>;
}

/** Starts a webhook receiver. */
export async function openWebhookReceiver(port: number): Promise<WebhookReceiver> {
  const requests: ReceivedWebhook[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const header = (name: string) => String(request.headers[name] ?? '');
      requests.push({
        id: header('webhook-id'),
        timestamp: header('webhook-timestamp'),
        signatures: header('webhook-signature').split(' '),
        body,
      });
      response.writeHead(204).end();
    });
  });
  const { close } = await listen(server, port);
  return { url: `http://localhost:${port}/webhooks`, requests, close };
}

/** Verifies a signature by Standard Webhooks 1.0.0, independent of the library that created it. */
export function hasValidSignature(
  { id, timestamp, signatures, body }: ReceivedWebhook,
  secret: string,
): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  return signatures.some((signature) => {
    const [version, value = ''] = signature.split(',');
    const signatureBytes = Buffer.from(value, 'base64');
    return (
      version === 'v1' &&
      signatureBytes.length === expected.length &&
      timingSafeEqual(signatureBytes, expected)
    );
  });
}
