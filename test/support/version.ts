import PACKAGE from '../package.json' with { type: 'json' };

/** The version of all packages, and of `/v1.2.3/connect.js`. */
export const VERSION = PACKAGE.version;
