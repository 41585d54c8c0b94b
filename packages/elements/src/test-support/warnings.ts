const { warn } = console;

/** The console warnings of the current test. A test file calls this function once. */
export function recordWarnings(): string[] {
  const warnings: string[] = [];
  beforeEach(() => {
    warnings.length = 0;
    console.warn = (text: string) => void warnings.push(text);
  });
  afterEach(() => (console.warn = warn));
  return warnings;
}
