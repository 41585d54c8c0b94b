export type Bytes = Uint8Array<ArrayBuffer>;

/** A file of the built bundle with its compressed versions. */
export interface Script {
  type: string;
  /** Hash of the content. */
  hash: string;
  body: Bytes;
  br?: Bytes | undefined;
  gzip?: Bytes | undefined;
}

/** The source of the built bundle: a folder in Node, a map in a worker. */
export interface Scripts {
  /**
   * @param name `connect.js`, `chunk-1a2b3c4d.js`, `v1.2.3/connect.js`
   * @returns undefined if there is no such file; null if nothing has been built yet
   */
  find(name: string): Promise<Script | undefined | null>;
  /**
   * Compresses the response for one visitor: a script, a text that many visitors share, and a text of this
   * visitor, which is not empty. Without this function that response is not compressed.
   */
  compress?(script: Script, shared: string, visitor: string, coding: 'br' | 'gzip'): Promise<Bytes>;
}

/** The best encoding that the browser accepts; `br;q=0` means not accepted. */
export function chooseEncoding(accepted: string, script: Script): 'br' | 'gzip' | undefined {
  const accepts = (name: string) =>
    accepted.split(',').some((part) => {
      const [coding, ...rules] = part.split(';').map((text) => text.trim().toLowerCase());
      return coding === name && !rules.some((rule) => /^q=0(?:\.0*)?$/.test(rule));
    });
  return (['br', 'gzip'] as const).find((name) => script[name] && accepts(name));
}
