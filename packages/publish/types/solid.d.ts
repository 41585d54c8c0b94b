import type { JSX as Solid } from 'solid-js';
import type { ConnectElements } from './elements.js';

type Props<Tag extends keyof ConnectElements> = Omit<
  Solid.HTMLAttributes<ConnectElements[Tag]['element']>,
  keyof ConnectElements[Tag]['attributes']
> &
  ConnectElements[Tag]['attributes'] & {
    [
      Name in keyof ConnectElements[Tag]['properties'] as `prop:${Name & string}`
    ]?: ConnectElements[Tag]['properties'][Name];
  } & {
    [
      Name in keyof ConnectElements[Tag]['attributes'] as `attr:${Name & string}`
    ]?: ConnectElements[Tag]['attributes'][Name];
  } & {
    [Name in keyof ConnectElements[Tag]['events'] as `on:${Name & string}`]?:
      ((event: ConnectElements[Tag]['events'][Name]) => void) | undefined;
  };

type Elements = { [Tag in keyof ConnectElements]: Props<Tag> };

declare module 'solid-js' {
  namespace JSX {
    // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- declaration merging needs an interface.
    interface IntrinsicElements extends Elements {}
  }
}
