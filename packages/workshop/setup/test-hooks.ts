type Hook = () => unknown;

const beforeHooks: Hook[] = [];
const afterHooks: Hook[] = [];

/**
 * Collects the Mocha hooks of the element tests' fakes, because Storybook has no Mocha. Each story then
 * runs them like a test.
 *
 * Must be imported before the fakes.
 */
Object.assign(globalThis, {
  beforeEach: (hook: Hook) => beforeHooks.push(hook),
  afterEach: (hook: Hook) => afterHooks.push(hook),
});

export async function begin(): Promise<void> {
  for (const hook of beforeHooks) await hook();
}

export async function end(): Promise<void> {
  for (const hook of afterHooks) await hook();
}
