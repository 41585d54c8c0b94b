const WIDTH = 32;

/**
 * Returns a function that prints the progress of a task. A terminal shows a bar; any other output gets
 * one line for each tenth.
 */
export function progressBar(total: number, unit: string) {
  const stream = process.stderr;
  const started = performance.now();
  let shownStep = -1;
  return (completed: number): void => {
    const share = completed / total;
    const step = Math.floor(share * (stream.isTTY ? WIDTH : 10));
    if (step === shownStep && completed < total) return;
    shownStep = step;
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    const bar = '█'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '░');
    const line = `${bar} ${completed.toLocaleString('en')} of ${total.toLocaleString('en')} ${unit}, ${seconds} s`;
    stream.write(stream.isTTY ? `\r${line}${completed < total ? '' : '\n'}` : `${line}\n`);
  };
}
