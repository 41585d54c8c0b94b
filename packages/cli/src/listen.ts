import { setTimeout as wait } from 'node:timers/promises';
import {
  describeDeliveryError,
  parseEventTypes,
  withEventLog,
  type EventLog,
  type LoggedEvent,
} from '@connect-embed/api/event-log';
import { InvalidArgumentError, type Command } from 'commander';

/** How often the database is read, and so the longest delay of an event. */
const POLL_MS = 500;
/** Wait after a failed read. */
const RECONNECT_MS = 2_000;
/** As for webhook endpoints. */
const TIMEOUT_MS = 20_000;

interface ListenOptions {
  forwardTo: URL;
  events?: ReturnType<typeof parseEventTypes>;
  organization?: string;
}

/** Adds the command `listen`, which sends webhook events to an address on this machine. */
export function addListenCommand(program: Command): void {
  program
    .command('listen')
    .description('forward webhook events of this installation to a local address, signed')
    .requiredOption('--forward-to <url>', 'such as localhost:3000/webhooks', parseUrl)
    .option(
      '--events <types>',
      'only these types, comma separated, such as donation.created',
      parseEvents,
    )
    .option('--organization <id>', 'only events of this organization')
    .addHelpText(
      'after',
      `
Reads the database of the installation, like \`keys\` and \`doctor\`. Events are forwarded once, from now on;
one that the address does not accept is printed and not sent again. Stop with Ctrl-C.`,
    )
    .action(async ({ forwardTo, events, organization }: ListenOptions) => {
      const stop = new AbortController();
      process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort());
      await withEventLog({ types: events, organization }, async (log) => {
        print(`Forwarding events to ${forwardTo.href}\nWebhook signing secret: ${log.secret}`);
        await forwardEvents(log, forwardTo, stop.signal);
      });
    });
}

async function forwardEvents(log: EventLog, url: URL, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const events = await log.read().catch(() => undefined);
    if (!events) print('The database cannot be reached. Trying again. No event is lost.');
    for (const event of events ?? []) {
      if (stop.aborted) return;
      const result = await send(log, event, url, stop);
      print(`${new Date().toISOString()}  ${event.type}  ${event.id}  ${result}`);
    }
    await wait(events ? POLL_MS : RECONNECT_MS, undefined, { signal: stop }).catch(() => {});
  }
}

/** @returns the status of the response, or why there was none */
async function send(
  log: EventLog,
  event: LoggedEvent,
  url: URL,
  stop: AbortSignal,
): Promise<string> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...log.sign(event), 'content-type': 'application/json' },
      body: event.body,
      redirect: 'manual',
      signal: AbortSignal.any([timeout, stop]),
    });
    await response.body?.cancel();
    return `${response.status}`;
  } catch (error) {
    if (stop.aborted) return 'stopped';
    return timeout.aborted ? 'No response within 20 seconds.' : describeDeliveryError(error);
  }
}

function parseUrl(text: string): URL {
  const address = /^https?:\/\//.test(text) ? text : `http://${text}`;
  if (URL.canParse(address)) return new URL(address);
  throw new InvalidArgumentError('It must be an address, such as localhost:3000/webhooks.');
}

function parseEvents(text: string) {
  try {
    return parseEventTypes(text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
