import type { EmitFn, HTMLAttributes, PublicProps } from 'vue';
import type { ConnectElements } from './elements.js';

type Emits<Tag extends keyof ConnectElements> = {
  [Name in keyof ConnectElements[Tag]['events']]: (
    event: ConnectElements[Tag]['events'][Name],
  ) => void;
};

/**
 * An element class that Vue's language tools read as a component, with its props and emitted
 * events.
 */
type Component<Tag extends keyof ConnectElements> = new () => ConnectElements[Tag]['element'] & {
  /** @deprecated For types only. */
  $props: HTMLAttributes &
    Omit<ConnectElements[Tag]['attributes'], keyof ConnectElements[Tag]['properties']> &
    ConnectElements[Tag]['properties'] &
    PublicProps;
  /** @deprecated For types only. */
  $emit: EmitFn<Emits<Tag>>;
};

type Elements = { [Tag in keyof ConnectElements]: Component<Tag> };

declare module 'vue' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- declaration merging needs an interface.
  interface GlobalComponents extends Elements {}
}
