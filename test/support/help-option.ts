/** `--help` of a command without options: says what it does, and does nothing else. */
export function exitOnHelpOption(text: string): void {
  if (!process.argv.includes('--help') && !process.argv.includes('-h')) return;
  console.log(text);
  process.exit(0);
}
