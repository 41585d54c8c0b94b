/**
 * A request with its response, as the reference shows it.
 *
 * `examples.test.ts` sends every request to the API and compares the response.
 */
export interface Example {
  /** Title of the example, if the operation has several examples. */
  title?: string;
  /** Values of path, query and header parameters by name. */
  parameters?: Readonly<Record<string, string | number | boolean>>;
  body?: object;
  /** JSON, or the text of a file. */
  response: object | string;
}

/** The examples of operations, by `operationId`, with ids of the organization in the demo data. */
export type Examples = Readonly<Record<string, readonly [Example, ...Example[]]>>;

export const ORGANIZATION_ID = 'org_harbor';

/** A shortened cursor. Real cursors have about 200 characters. */
const CURSOR = 'v1.Yk3pT0m9Qf7Lw2sXcJ8dRb5NhA4uGzVe';

export const lastPage = <Resource>(data: Resource[]) => ({
  data,
  has_more: false,
  next_cursor: null,
});

export const firstPage = <Resource>(data: Resource[]) => ({
  data,
  has_more: true,
  next_cursor: CURSOR,
});
