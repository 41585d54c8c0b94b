import { IntegrationError } from './integration-error.ts';

const CONTAINER_CLASS = 'StripeElement';

/**
 * Finds the node that `mount` was called with.
 *
 * @throws {IntegrationError} if Stripe's elements cannot be mounted there
 */
export function mountTarget(target: string | HTMLElement): Element {
  const container = typeof target === 'string' ? document.querySelector(target) : target;
  if (!(container instanceof Element)) throw mountTargetError(target);
  if (container.getRootNode() !== document) {
    throw new IntegrationError(
      'Elements cannot be mounted in a ShadowRoot. Please mount in the Light DOM.',
    );
  }
  container.classList.add(CONTAINER_CLASS);
  return container;
}

export const releaseTarget = (container: Element | null) =>
  container?.classList.remove(CONTAINER_CLASS);

const mountTargetError = (target: unknown) =>
  new IntegrationError(
    typeof target === 'string'
      ? `The selector you specified (${target}) applies to no DOM elements that are currently on the page. Make sure the element exists on the page before calling mount().`
      : 'Invalid DOM element. Call mount() with a valid DOM element or selector.',
  );
