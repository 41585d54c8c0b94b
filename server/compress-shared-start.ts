import { constants, createBrotliCompress } from 'node:zlib';
import { fastCompressors } from './fast-compressors.ts';
import type { Bytes, Script } from './script-source.ts';

/** How many starts are remembered: one for each form and hour, of about 16 kB. */
const MAX_STARTS = 1000;

/** Longest end in bytes: a Brotli block with a length of 16 bits. */
const MAX_END_BYTES = 65_536;

/**
 * Compresses responses that consist of a script, a text that many visitors share, and an end of one
 * visitor.
 *
 * The best compression takes 70 ms or more, the fast one 4 ms for every visitor. So the shared start is
 * compressed well and only once; the end is appended without compression, which takes no time. Until
 * the start is ready, responses are compressed fast.
 */
export function createSharedStartCompressor() {
  const starts = new Map<string, Bytes>();
  // One at a time: on a platform with many forms, the compressions would otherwise delay each other and
  // all requests.
  let isCompressing = false;

  const compressStart = (key: string, start: Bytes) => {
    if (isCompressing) return;
    isCompressing = true;
    const keep = (compressed: Bytes) => {
      if (starts.size >= MAX_STARTS) starts.delete(starts.keys().next().value!);
      starts.set(key, compressed);
    };
    void bestBrotliStart(start)
      .then(keep)
      .catch(() => {}) // The responses stay compressed fast.
      .finally(() => (isCompressing = false));
  };

  return async (script: Script, shared: string, visitor: string): Promise<Bytes> => {
    const key = `${script.hash} ${shared}`;
    const end = Buffer.from(visitor);
    const compressed = starts.get(key);
    if (compressed && end.length <= MAX_END_BYTES) return appendEnd(compressed, end);
    const start = new Uint8Array(Buffer.concat([script.body, Buffer.from(shared)]));
    compressStart(key, start);
    return await fastCompressors.br(Buffer.concat([start, end]));
  };
}

/** Compresses the start of a Brotli stream. The flush ends it at a whole byte, so that more can follow. */
function bestBrotliStart(start: Bytes): Promise<Bytes> {
  const stream = createBrotliCompress();
  const parts: Buffer[] = [];
  return new Promise((resolve, reject) => {
    stream.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
    stream.write(start);
    stream.flush(constants.BROTLI_OPERATION_FLUSH, () => {
      resolve(new Uint8Array(Buffer.concat(parts)));
      stream.destroy();
    });
  });
}

/**
 * Appends bytes to the start of a Brotli stream, and ends the stream: an uncompressed block, whose header
 * of 24 bits has the length in 16 of them, and an empty last block (RFC 7932, 9.2).
 */
function appendEnd(start: Bytes, end: Uint8Array): Bytes {
  const IS_UNCOMPRESSED = 1 << 19;
  const header = Buffer.alloc(3);
  header.writeUIntLE(((end.length - 1) << 3) | IS_UNCOMPRESSED, 0, 3);
  const EMPTY_LAST_BLOCK = [0b11];
  return new Uint8Array(Buffer.concat([start, header, end, Buffer.from(EMPTY_LAST_BLOCK)]));
}
