const WIDTH = 32;

/** Shows progress on a terminal. If the output is not a terminal, prints a line for each tenth. */
export function progressBar(total: number, unit: string, out = process.stderr) {
  const started = performance.now();
  let shownStep = -1;
  return (done: number): void => {
    const share = done / total;
    const step = Math.floor(share * (out.isTTY ? WIDTH : 10));
    if (step === shownStep && done < total) return;
    shownStep = step;
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    const bar = '█'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '░');
    const line = `${bar} ${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${unit}, ${seconds} s`;
    out.write(out.isTTY ? `\r${line}${done < total ? '' : '\n'}` : `${line}\n`);
  };
}
