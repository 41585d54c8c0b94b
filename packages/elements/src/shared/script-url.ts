import { serverAddress } from './server-address.ts';

let ownScriptUrl: string | undefined;

/** Sets the URL of the script. Each bundle calls it once. */
export const setScriptUrl = (url: string) => {
  ownScriptUrl = url;
};

/** The URL of the script, from which the default server is derived. */
export const getScriptUrl = () => ownScriptUrl ?? new URL('/connect/', document.baseURI).href;

/** The URL of a table's server. `tables/check-attributes.ts` warns about an invalid one. */
export function resolveTableServer(address: string): string {
  try {
    return serverAddress(address, getScriptUrl());
  } catch {
    return serverAddress(null, getScriptUrl());
  }
}
