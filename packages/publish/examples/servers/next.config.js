// Not bundled, because the server reads files of its package.
export default { serverExternalPackages: ['@connect-embed/server'] };
