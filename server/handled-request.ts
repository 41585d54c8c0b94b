/** A request that has been answered. `route` is the pattern with the base path. */
export interface HandledRequest {
  method: string;
  route: string;
  status: number;
  seconds: number;
}

/** Receives each request after its response. */
export type OnRequest = (request: HandledRequest) => void;
