import { send, type Call } from '../shared/http.ts';
import type { Resource } from './column.ts';
import type { TableElement } from './table-element.ts';

/** If the API requests a longer wait (`Retry-After`), the export fails. */
const MAX_RETRY_AFTER_SECONDS = 90;

/** Downloads the API's CSV file of all rows that match the filters. */
export class CsvExport<Row extends Resource> {
  running = false;
  failed = false;
  readonly #table: TableElement<Row>;
  readonly #abort = new AbortController();

  constructor(table: TableElement<Row>) {
    this.#table = table;
  }

  async run() {
    this.running = true;
    this.#table.requestUpdate();
    try {
      saveFile(await this.#fetchFile());
    } catch {
      this.failed = !this.#abort.signal.aborted;
    }
    this.running = false;
    this.#table.requestUpdate();
  }

  cancel() {
    this.#abort.abort();
  }

  /** Fetches the file. Retries after `Retry-After` when the API limits the rate of requests. */
  async #fetchFile(): Promise<NamedFile> {
    const { pages, display } = this.#table;
    const { component, session, query, sort } = pages;
    const { timeZone } = display;
    const parameters = new URLSearchParams({
      ...query,
      ...(sort && { sort }),
      ...(timeZone && { time_zone: timeZone }),
    });
    const { signal } = this.#abort;
    for (;;) {
      try {
        const path = `/${component}/export.csv?${parameters}`;
        return await session!.read(component, path, signal, downloadFile);
      } catch (error) {
        const { retryAfterSeconds = 0 } = error as { retryAfterSeconds?: number };
        if (signal.aborted || !retryAfterSeconds || retryAfterSeconds > MAX_RETRY_AFTER_SECONDS)
          throw error;
        await new Promise((resolve) => {
          setTimeout(resolve, retryAfterSeconds * 1000);
          signal.addEventListener('abort', resolve, { once: true });
        });
        signal.throwIfAborted();
      }
    }
  }
}

interface NamedFile {
  content: Blob;
  name: string;
}

/** The whole file is received before it is saved, so that an interrupted export leaves no partial file. */
async function downloadFile(url: string, options: Call): Promise<NamedFile> {
  const response = await send(url, { ...options, headers: { accept: 'text/csv' } });
  return {
    content: await response.blob(),
    name: fileName(response.headers.get('content-disposition') ?? ''),
  };
}

/** Reads the file name of a `Content-Disposition` header (RFC 6266). */
function fileName(header: string): string {
  const [, name] = /filename\*=UTF-8''([^;]+)/i.exec(header) ?? [];
  return name ? decodeURIComponent(name) : 'export.csv';
}

function saveFile({ content, name }: NamedFile) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
