import type { TableSession } from '@connect-embed/elements';

/** Called before the first request, before a session expires, and when the API rejects it. */
export async function fetchSession(signal: AbortSignal): Promise<TableSession> {
  const response = await fetch('/giving-session', { method: 'POST', signal });
  if (!response.ok) throw new Error(`/giving-session: status ${response.status}`);
  return (await response.json()) as TableSession;
}
