import { serverAddress } from './server-address.ts';

let home: string | undefined;

/** Told once by a bundle: the address of its own script. */
export const setScriptHome = (url: string) => {
  home = url;
};

/** Where a server answers whose address nobody says: where the script came from. */
export const scriptHome = () => home ?? new URL('/connect/', document.baseURI).href;

/** The server of a table. A bad address is passed over: `tables/attributes.ts` tells of it. */
export function tableServer(address: string): string {
  try {
    return serverAddress(address, scriptHome());
  } catch {
    return serverAddress(null, scriptHome());
  }
}
