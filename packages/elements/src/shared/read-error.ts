/** A separate chunk, because the first rows of a table do not need it. */
export { parseErrorResponse } from '@connect-embed/contract/client';
