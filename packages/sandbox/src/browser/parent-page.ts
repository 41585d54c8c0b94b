import { FrameChannel } from './frame-channel.ts';

/**
 * The page around a frame of ours, named in the frame's own address.
 *
 * Any page may open the frame: what it hears is only about what was typed in
 * here, never the card itself.
 */
export function openChannel(receive: (name: string, data: unknown) => unknown): FrameChannel {
  const address = new URLSearchParams(location.hash.slice(1));
  const parentOrigin = address.get('parent') ?? 'null';
  return new FrameChannel(() => window.parent, parentOrigin, address.get('token') ?? '', receive);
}
