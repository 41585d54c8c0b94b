import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { WebhookEvent } from '@connect-embed/contract';
import { listen } from '../../support/listen.ts';

/** A webhook receiver that counts deliveries. */
export interface WebhookCounter {
  /** The URL of an endpoint, by its number. */
  url(endpoint?: number): string;
  /** How often an event type was delivered for a resource, by endpoint. */
  count(type: string, id: string, endpoint?: number): number;
  /** Number of different deliveries over all endpoints, and of all requests. */
  readonly unique: number;
  readonly total: number;
  /** Milliseconds before each response. */
  delayMs: number;
  close(): Promise<void>;
}

export async function startWebhookCounter(port: number): Promise<WebhookCounter> {
  const counts = new Map<string, number>();
  const uniqueDeliveries = new Set<string>();
  let total = 0;
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { id, type, related_object: related } = JSON.parse(body) as WebhookEvent;
      const key = [request.url, type, related.id].join(' ');
      counts.set(key, (counts.get(key) ?? 0) + 1);
      uniqueDeliveries.add(`${request.url} ${id}`);
      total += 1;
      setTimeout(() => response.writeHead(204).end(), counter.delayMs);
    });
  });
  const { close } = await listen(server, port);
  const counter: WebhookCounter = {
    url: (endpoint = 0) => `http://localhost:${port}/${endpoint}`,
    count: (type, id, endpoint = 0) => counts.get([`/${endpoint}`, type, id].join(' ')) ?? 0,
    get unique() {
      return uniqueDeliveries.size;
    },
    get total() {
      return total;
    },
    delayMs: 0,
    close,
  };
  return counter;
}
