import { FrameChannel } from './frame-channel.ts';

/**
 * Opens a channel from a frame of the sandbox (card fields, authentication) to the page that
 * contains it. The frame's URL has the origin of the page.
 *
 * Any page may embed the frame: the messages contain the state of the fields, never card data.
 */
export function openChannel(receive: (name: string, data: unknown) => unknown): FrameChannel {
  const address = new URLSearchParams(location.hash.slice(1));
  const parentOrigin = address.get('parent') ?? 'null';
  return new FrameChannel(() => window.parent, parentOrigin, address.get('token') ?? '', receive);
}
