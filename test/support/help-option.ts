/** Handles `--help` of a command without other options: prints the text and exits. */
export function exitOnHelpOption(text: string): void {
  if (!process.argv.includes('--help') && !process.argv.includes('-h')) return;
  console.log(text);
  process.exit(0);
}
