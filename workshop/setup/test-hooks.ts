type Hook = () => unknown;

const beforeHooks: Hook[] = [];
const afterHooks: Hook[] = [];

/**
 * The doubles of the element tests set themselves up in Mocha's hooks; here a story is the test.
 *
 * To be imported before them.
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
