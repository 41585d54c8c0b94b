// app/connect/[...path]/route.js
const handle = async ({ url, method, headers: original, body }) => {
  // Not imported at the top: `next build` loads this file, where the secrets are not set.
  const { connect } = await import('../../../connect.js');
  // Next compresses responses itself, and drops the Content-Encoding of those that already are.
  const headers = new Headers(original);
  headers.delete('accept-encoding');
  return await connect.fetch(new Request(url, { method, headers, body, duplex: 'half' }));
};

// OPTIONS too: otherwise Next responds to it, and browsers of other origins are refused.
export { handle as GET, handle as POST, handle as OPTIONS };
