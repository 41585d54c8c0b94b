type Hook = () => unknown;

const befores: Hook[] = [];
const afters: Hook[] = [];

/**
 * The doubles of the element tests set themselves up in Mocha's hooks; here a story is the test.
 *
 * To be imported before them.
 */
Object.assign(globalThis, {
  beforeEach: (hook: Hook) => befores.push(hook),
  afterEach: (hook: Hook) => afters.push(hook),
});

export async function begin(): Promise<void> {
  for (const hook of befores) await hook();
}

export async function end(): Promise<void> {
  for (const hook of afters) await hook();
}
