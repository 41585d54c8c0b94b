// app/connect/[...path]/route.js
const handle = async (request) => {
  // Not imported at the top: `next build` loads this file, where the secrets are not set.
  const { connect } = await import('../../../connect.js');
  return await connect.fetch(request);
};

// OPTIONS too: otherwise Next responds to it, and browsers of other origins are refused.
export { handle as GET, handle as POST, handle as OPTIONS };
