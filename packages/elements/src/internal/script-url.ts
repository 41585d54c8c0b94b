import { serverAddress } from './server-address.ts';

let ownScriptUrl: string | undefined;

/** Told once by a bundle: the address of its own script. */
export const setScriptUrl = (url: string) => {
  ownScriptUrl = url;
};

/** Where a server answers whose address nobody says: where the script came from. */
export const getScriptUrl = () => ownScriptUrl ?? new URL('/connect/', document.baseURI).href;

/** The server of a table. A bad address is passed over: `tables/check-attributes.ts` tells of it. */
export function resolveTableServer(address: string): string {
  try {
    return serverAddress(address, getScriptUrl());
  } catch {
    return serverAddress(null, getScriptUrl());
  }
}
