/**
 * Loaded before a room (`node --import`), it makes the room's clock wrong by CLOCK_OFFSET_MS.
 *
 * Everything that asks JavaScript for the time is told the wrong one. Timers go on as ever, as they
 * do when somebody sets the clock of a machine.
 */
const offset = Number(process.env['CLOCK_OFFSET_MS'] ?? 0);
const RealDate = globalThis.Date;
const now = () => RealDate.now() + offset;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: unknown[], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
  apply: () => new RealDate(now()).toString(),
  get: (target, name, receiver) =>
    name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown),
});
