/**
 * Preloaded into a service (`node --import`): shifts its `Date` by CLOCK_OFFSET_MS.
 *
 * Timers are unchanged, as when the clock of a machine is set.
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
