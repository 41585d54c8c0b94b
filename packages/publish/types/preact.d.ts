import type { ClassAttributes, HTMLAttributes } from 'preact';
import type { ConnectElements } from './elements.js';

type Props<Tag extends keyof ConnectElements> = Omit<
  HTMLAttributes<ConnectElements[Tag]['element']>,
  keyof ConnectElements[Tag]['properties']
> &
  ClassAttributes<ConnectElements[Tag]['element']> &
  Omit<ConnectElements[Tag]['attributes'], keyof ConnectElements[Tag]['properties']> &
  ConnectElements[Tag]['properties'] & {
    [Name in keyof ConnectElements[Tag]['events'] as `on${Name & string}`]?:
      ((event: ConnectElements[Tag]['events'][Name]) => void) | undefined;
  };

type Elements = { [Tag in keyof ConnectElements]: Props<Tag> };

declare module 'preact' {
  namespace JSX {
    // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- declaration merging needs an interface.
    interface IntrinsicElements extends Elements {}
  }
}
